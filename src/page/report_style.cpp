#include "page/report_style.h"

namespace orrery {

// Colours are told apart by people who see few of them, on both grounds; markers and dashes, which
// the plots bring along, by those who see none and on grey paper.
const char* const report_style = R"css(
:root {
  color-scheme: light dark;
  --measure: 38rem;
  --paper: #fff; --ink: #1d1d1f; --quiet: #5c5f66; --line: #dcdde0; --wash: #f4f5f7;
  --shade: #d2d4d9;
  --series-1: #2457cc; --series-2: #b93516; --series-3: #15a187;
  --series-4: #6f2679; --series-5: #ba8b00; --series-6: #1b181e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16171a; --ink: #e6e6e8; --quiet: #a2a5ac; --line: #383a40; --wash: #212327;
    --shade: #4a4d55;
    --series-1: #4a8bff; --series-2: #e8663a; --series-3: #62eaa8;
    --series-4: #d07ac0; --series-5: #f7d53a; --series-6: #dfe8ec;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; padding: 3rem 1.25rem 5rem;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
main { max-width: 60rem; margin: 0 auto; }
main > * { max-width: var(--measure); margin-left: 0; margin-right: 0; }
h1, h2 { line-height: 1.2; letter-spacing: -.01em; text-wrap: balance; }
h1 { font-size: 2.1rem; font-weight: 700; margin-top: 0; margin-bottom: 1.5rem; }
h2 { font-size: 1.35rem; font-weight: 650; margin-top: 3rem; margin-bottom: .75rem; }
p { margin-top: 0; margin-bottom: 1rem; }
code { font: .9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: var(--wash);
  border-radius: .25em; padding: .1em .3em; overflow-wrap: anywhere; }
code span, th span { white-space: nowrap; }
nav { font-size: .95rem; border-left: 2px solid var(--line); padding-left: 1rem; margin-bottom: 2rem; }
nav ol { list-style: none; margin: 0; padding: 0; }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; }
a:hover { text-decoration-color: currentColor; }
figure { margin-top: 2rem; margin-bottom: 2rem; }
h2 + figure { margin-top: 1rem; }
figcaption { max-width: var(--measure); font-size: .95rem; font-weight: 600; line-height: 1.4;
  margin-bottom: .6rem; text-wrap: balance; }
.table { width: fit-content; min-width: min(100%, var(--measure)); 
  max-width: max(100%, 50vw + 50% - 2.5rem); }  /* into the margin, where it is needed */
.scroll {  /* its right edge is shaded until it is scrolled to the end */
  overflow-x: auto;
  background:
    linear-gradient(to left, var(--paper) 50%, transparent) right / 3rem 100% no-repeat local,
    linear-gradient(to left, var(--shade), transparent) right / 1rem 100% no-repeat scroll;
}
.scroll:focus-visible { outline: 2px solid var(--series-1); outline-offset: 2px; }
table { border-collapse: separate; border-spacing: 0; min-width: 100%;
  font-size: .9rem; line-height: 1.4; }
th, td { padding: .35rem 0 .35rem 1rem; text-align: right; white-space: nowrap;
  vertical-align: baseline; border-bottom: 1px solid var(--line); font-weight: inherit; }
th:first-child, td:first-child { text-align: left; padding: .35rem .5rem .35rem .25rem;
  position: sticky; left: 0; background: var(--paper); }
th.words, td.words, th.folded, td.folded { text-align: left; }
.folded { white-space: normal; min-width: 14rem; max-width: 26rem; }
.tall { min-width: 6.5rem; max-width: 10rem; }
td:last-child, th:last-child { padding-right: .25rem; }
thead th { white-space: normal; vertical-align: bottom;
  color: var(--quiet); border-bottom-color: var(--quiet); }
.bold > *, .bold > :first-child { font-weight: 700; background: var(--wash); }
.drawing { display: block; width: 100%; height: auto; overflow: visible; }
.legend { display: flex; flex-wrap: wrap; gap: .15rem 1.4rem; list-style: none; margin: 0 0 .6rem;
  padding: 0; font-size: .9rem; }
.legend li { display: flex; align-items: center; gap: .5rem; min-width: 0; }
.sample { width: 2rem; height: .875rem; flex: none; }
details { color: var(--quiet); font-size: .85rem; margin-top: .35rem; }
summary { cursor: pointer; }
svg text { fill: currentColor; font-size: 13.5px; }
.axes { color: var(--quiet); }
.label { fill: var(--ink); }
.grid, .tick, .line, .deviation { fill: none; }
.grid { stroke: var(--line); }
.tick { stroke: var(--quiet); }
.line { stroke: currentColor; stroke-width: 1.8; stroke-linejoin: round; }
.deviation { stroke: currentColor; stroke-width: 1.2; opacity: .65; }
.bars + .deviation { stroke: var(--ink); opacity: 1; }
.marker { fill: currentColor; stroke: var(--paper); stroke-width: .8; }
.cloud { fill: currentColor; fill-opacity: .75; }
.bars { fill: currentColor; stroke: var(--paper); }
.area { fill: currentColor; fill-opacity: .14; }
.band { fill: currentColor; fill-opacity: .25; }
.series-1 { color: var(--series-1); } .series-2 { color: var(--series-2); }
.series-3 { color: var(--series-3); } .series-4 { color: var(--series-4); }
.series-5 { color: var(--series-5); } .series-6 { color: var(--series-6); }
@media (max-width: 34rem) {
  body { padding: 1.5rem 1rem 3rem; font-size: 1rem; }
  h1 { font-size: 1.7rem; }
  .folded:first-child { min-width: 10rem; }
  svg text { font-size: 18px; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --ink: #000; --quiet: #333; --line: #d4d4d4; --wash: #f2f2f2;
    --series-1: #2457cc; --series-2: #b93516; --series-3: #15a187;
    --series-4: #6f2679; --series-5: #ba8b00; --series-6: #1b181e;
  }
  html { font-size: 10pt; }
  body { padding: 0; font-size: 1rem; }
  main { max-width: none; }
  h2 { break-after: avoid; }
  .plot, tr { break-inside: avoid; }
  thead, tbody tr:nth-child(-n + 3) { break-after: avoid; }
  .plot { max-width: 27rem; }
  .table figcaption { break-after: avoid; }
  .table, .table figcaption { max-width: 100%; }
  .scroll { overflow: visible; background: none; }
  th:first-child, td:first-child { position: static; background: none; }
  .folded, .folded:first-child, .wide .tall { min-width: 0; }
  .tall { min-width: 5rem; }
  .wide { font-size: .7rem; }
  .wide th + *, .wide td { padding-left: .5rem; }
  .widest th, .widest td { white-space: normal; }
  nav, details { display: none; }
}
)css";

}  // namespace orrery
