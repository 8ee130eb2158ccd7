// Elements from names, attributes and children. Text only ever becomes text nodes: names of the data
// may hold anything.

export const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

export const make = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// A name of the data: its own direction of writing, and none of its neighbours'.
export const named = (text, attributes = {}) => make("bdi", attributes, text);

export const replace = (parent, ...children) => parent.replaceChildren(...children.flat());

export const show = (element, visible = true) => {
  element.hidden = !visible;
};

// A short form for drawings, which cannot wrap.
export function shortened(text, length) {
  const letters = [...text];
  return letters.length <= length ? text : letters.slice(0, length - 1).join("").trimEnd() + "…";
}

// The last of several calls within `wait` milliseconds is carried out.
export function debounced(wait, work) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), wait);
  };
}

// Paints with the width of the place, and again whenever that changes: text keeps its size.
const fitted = new Map();
const watcher = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const known = fitted.get(target);
    const width = Math.round(contentRect.width);
    if (!target.isConnected) {
      watcher.unobserve(target);
      fitted.delete(target);
    } else if (width > 0 && width !== known.width) {
      known.width = width;
      known.paint(width);
    }
  }
});

export function drawnToFit(place, paint) {
  const width = Math.round(place.clientWidth);
  fitted.set(place, { paint, width });
  if (width > 0) paint(width);
  watcher.observe(place);
}
