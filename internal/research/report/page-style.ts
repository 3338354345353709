// The style sheet of the exported page, for light and dark, wide and narrow screens, and for printing.

/** Style sheet without external fonts, images or rules. */
export const pageStyle = `:root { color-scheme: light dark; \
--ink: #1c2024; --soft: #667078; --line: #d5dade; \
--paper: #fff;
  --keep: #12804a; --single: #b26a00; --bad: #c0322b; --band: #e9eef3 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa4ad; --line: #3a4147; \
--paper: #16191c;
  --keep: #4cc38a; --single: #ffb224; --bad: #ff6d66; --band: #232a30 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem; margin: 0.2rem 0 }
.when { color: var(--soft); margin: 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
.warning { border-left: 3px solid var(--single); padding-left: 0.7rem }
figure { margin: 1.5rem 0 }
figcaption { color: var(--soft); font-size: 0.85rem }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif }
.axis { fill: var(--soft) }
.grid { stroke: var(--line) }
.floor { fill: var(--band) }
.base { stroke: var(--soft); stroke-dasharray: 4 3 }
.best { fill: none; stroke: var(--keep); stroke-width: 1.5; opacity: 0.6 }
.point circle, .point rect { fill: var(--paper); stroke: var(--soft); stroke-width: 1.5 }
.point .interval { stroke: var(--soft) }
.keep circle { fill: var(--keep); stroke: var(--keep) }
.keep .interval { stroke: var(--keep) }
.single circle { fill: var(--single); stroke: var(--single) }
.crash path, .checks_failed path { stroke: var(--bad); stroke-width: 2 }
.baseline rect { fill: var(--ink); stroke: var(--ink) }
.key.keep { color: var(--keep) } .key.single { color: var(--single) } .key.crash { color: var(--bad) }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: 0.25rem 0.6rem; \
border-bottom: 1px solid var(--line); vertical-align: top }
th { color: var(--soft); font-weight: 500 }
tr.keep td:nth-child(4) { color: var(--keep) } tr.single td:nth-child(4) { color: var(--single) }
tr.crash td:nth-child(4), tr.checks_failed td:nth-child(4) { color: var(--bad) }
@media print { body { max-width: none } }`
