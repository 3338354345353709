// Style sheet of the HTML report: one column that fits a phone, readable on paper, and dark on dark screens.

export const reportStyle = `
:root { color-scheme: light dark; --ink: #1c1e26; --paper: #fff; --soft: #f5f6f9; --line: #dfe1e8; \
--faint: #5d6170; --accent: #3556c8; --note: #fff4d6; --edge: #c58b00; --keyword: #6f42c1; \
--string: #116329; --number: #7d4e00; --type: #0b6a71; --name: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e7ee; --paper: #16171d; --soft: #1f212a; --line: #353844; --faint: #a2a6b5; \
--accent: #93a9ff; --note: #3a3014; --edge: #d9a520; --keyword: #d2a8ff; \
--string: #7ee787; --number: #e3b341; --type: #76e3ea; --name: #9ecbff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 48rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; overflow-wrap: anywhere; }
header { border-bottom: 1px solid var(--line); padding-bottom: .9rem; }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .6rem; text-wrap: balance; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .8rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .5rem; }
p { margin: .7rem 0; }
.byline { color: var(--faint); font-size: .9rem; margin: 0; }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; text-underline-offset: .15em; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { font-size: .875em; background: var(--soft); border-radius: .25rem; padding: .1em .3em; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; \
font-size: .85rem; line-height: 1.5; white-space: pre-wrap; }
pre code, a code { background: none; padding: 0; font-size: inherit; }
pre .keyword { color: var(--keyword); }
pre .string, pre .added { color: var(--string); }
pre .number, pre .removed { color: var(--number); }
pre .type, pre .property { color: var(--type); }
pre .name { color: var(--name); }
pre .comment, pre .meta { color: var(--faint); }
blockquote { margin: .6rem 0 1.2rem; padding: .1rem 0 .1rem 1rem; border-left: .2rem solid var(--accent); }
blockquote p { margin: .45rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; font-size: .9rem; }
dt { color: var(--faint); }
dd { margin: 0; }
.warning { background: var(--note); border-left: .25rem solid var(--edge); border-radius: 0 .3rem .3rem 0; \
padding: .5rem .75rem; }
mark { background: var(--note); color: inherit; }
.cite { white-space: nowrap; font-size: .85em; color: var(--faint); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; }
th, td { text-align: left; vertical-align: top; \
border-bottom: 1px solid var(--line); padding: .35rem .8rem .35rem 0; }
ul, ol { padding-left: 1.4rem; }
li { margin: .35rem 0; }
.sources > li::marker { color: var(--faint); }
small, summary { color: var(--faint); font-size: .85rem; }
summary { cursor: pointer; }
.about { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
.about h2 { font-size: 1rem; margin-top: 1.4rem; }
:target { outline: 2px solid var(--edge); outline-offset: .3rem; border-radius: .2rem; }
@media print {
  :root { --ink: #000; --paper: #fff; --soft: #f3f3f3; --line: #999; --faint: #333; \
--accent: #000; --note: #eee; --keyword: #6f42c1; --string: #116329; --number: #7d4e00; \
--type: #0b6a71; --name: #0550ae; }
  main { max-width: none; padding: 0; }
  h2, h3 { break-after: avoid; }
  li, tr, dl { break-inside: avoid; }
  .wide { overflow: visible; }
}
`
