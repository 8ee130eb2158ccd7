// Numbers as people read them.

export function percent(share) {
  const value = 100 * share;
  if (value > 0 && value < 0.1) return "< 0.1 %";
  if (value > 99.9 && value < 100) return "> 99.9 %";
  return value.toFixed(1) + " %";
}

export const fixed = (value, digits = 2) =>
  value === undefined || value === null ? "–" : value.toFixed(digits).replace("-", "−");

// Signed, with three digits that count: for numbers that only compare with each other.
export const pull = (value) => (value > 0 ? "+" : "") + String(Number(value.toPrecision(3))).replace("-", "−");

export const grouped = (value) => value.toLocaleString("en-US");

export const counted = (value, one, many) => `${grouped(value)} ${value === 1 ? one : many}`;
