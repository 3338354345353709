// How the HTML report looks: one column that fits a phone, sober on paper, dark where the reader's screen is.

export const reportStyle = `
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #fff; --line: #d5d5dc; \
--faint: #5f5f6b; --note: #fff4d6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7e7ec; --paper: #17171b; --line: #3a3a44; --faint: #a3a3b0; --note: #3d3214; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2.2rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { font-size: 1rem; }
a { color: inherit; text-underline-offset: .15em; }
code, pre { font: .875em/1.45 ui-monospace, monospace; }
pre { border: 1px solid var(--line); padding: .75rem; white-space: pre-wrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; font-size: .9rem; }
dt { color: var(--faint); }
dd { margin: 0; }
.warning { background: var(--note); border-left: .25rem solid #c58b00; padding: .5rem .75rem; }
mark { background: var(--note); color: inherit; }
.cite { white-space: nowrap; font-size: .85em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; }
th, td { text-align: left; vertical-align: top; \
border-bottom: 1px solid var(--line); padding: .3rem .7rem .3rem 0; }
li { margin: .3rem 0; }
small { color: var(--faint); }
:target { outline: 2px solid #c58b00; outline-offset: .3rem; }
@media print {
  :root { --ink: #000; --paper: #fff; --line: #999; --faint: #333; --note: #eee; }
  main { max-width: none; padding: 0; }
  h2, h3 { break-after: avoid; }
  li, tr, dl { break-inside: avoid; }
  .wide { overflow: visible; }
}
`
