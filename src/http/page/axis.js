// The model's times in their order, and where any date lies among them.

// A date as a number of years, good enough to order and to draw; NaN: it is none.
export function moment(text) {
  const found = /^(-?\d+)s?(?:-(?:Q(\d)|W(\d\d)|(\d\d)))?(?:-(\d\d))?(?:[T ](\d\d))?(?::(\d\d))?(?::(\d\d))?/
    .exec(text);
  if (!found) return NaN;
  const [year, quarter, week, month, day, hour, minute, second] = found.slice(1).map((one) => Number(one ?? 0));
  const months = quarter ? 3 * (quarter - 1) : month ? month - 1 : 0;
  const days = (week ? 7 * (week - 1) : 0) + (day ? day - 1 : 0) + (hour + (minute + second / 60) / 60) / 24;
  return year + months / 12 + days / 372;
}

// A time of interval facts is a stretch: "1926..1931".
const endsOf = (name) => {
  const [first, last = first] = name.split("..");
  return { first, last };
};

export class Axis {
  constructor(names) {
    // Facts without any date have one time, which is none.
    this.names = names.length === 1 && names[0] === "always" ? [] : names;
    this.rows = this.names.map(endsOf);
    this.spans = this.rows.map(({ first, last }) => ({ first: moment(first), last: moment(last) }));
    this.index = new Map(this.names.map((name, i) => [name, i]));
  }

  get size() {
    return this.names.length;
  }

  // Short words for row i.
  label(i) {
    return this.rows[i]?.first ?? "";
  }

  get end() {
    return this.rows.at(-1)?.last ?? "";
  }

  // A row, or a fraction between two of them; undefined for what is no date.
  place(text) {
    if (this.index.has(text)) return this.index.get(text);
    const wanted = moment(endsOf(text ?? "").first);
    if (Number.isNaN(wanted) || !this.size) return undefined;
    const at = this.spans.findIndex((span) => span.last >= wanted);
    if (at < 0) return this.size - 1;
    const { first } = this.spans[at];
    if (at === 0 || first <= wanted) return at;
    const before = this.spans[at - 1].last;
    return at - 1 + (wanted - before) / (first - before);
  }
}
