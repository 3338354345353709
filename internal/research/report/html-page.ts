// The state of a session as one HTML file that contains its data and needs neither network nor script.

import { describeGate } from '../../base/text/judgment-text.ts'
import { drawRunChart } from './chart.ts'
import { costWords } from './cost.ts'
import { formatAmount, formatChange, formatOutcome, formatSigned } from './format.ts'
import { escapeMarkup } from './markup-escape.ts'
import type { OverviewRow, SessionOverview } from './overview.ts'
import { pageStyle } from './page-style.ts'
import { bestWords, finalWords } from './status-lines.ts'

/** Renders the page. `now` is the time that the page states for its data. */
export function renderPage(view: SessionOverview, now: Date): string {
  const title = escapeMarkup(`${view.name}: ${view.metric}`)
  // With `default-src 'none'`, the page can load and run nothing, even if a name or
  // description contains markup.
  const policy = "default-src 'none'; style-src 'unsafe-inline'"
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
${pageStyle}
</style>
</head>
<body>
<header>
<p class="when">snapshot of ${now.toISOString()}</p>
<h1>${title}</h1>
${view.objective === '' ? '' : `<p>${escapeMarkup(view.objective)}</p>`}
</header>
<main>
<dl>
${listFacts(view)
  .map(([name, value]) => `<dt>${name}</dt><dd>${escapeMarkup(value)}</dd>`)
  .join('\n')}
</dl>
${view.warnings.map((text) => `<p class="warning">${escapeMarkup(text)}</p>`).join('\n')}
<figure>
${drawRunChart(view)}
<figcaption>${legend}</figcaption>
</figure>
<div class="scroll">
<table>
<thead><tr><th>run</th><th>value</th><th>change against best</th>\
<th>verdict</th><th>what</th><th>commit</th></tr></thead>
<tbody>
${view.rows.map((row) => writeRow(row, view.unit)).join('\n')}
</tbody>
</table>
</div>
</main>
<script type="application/json" id="data">${toInlineJson(view)}</script>
</body>
</html>
`
}

const legend = [
  '<span class="key keep">●</span> kept',
  '<span class="key single">●</span> kept on a single sample',
  '<span class="key discard">○</span> discarded',
  '<span class="key crash">×</span> crashed or failed its checks',
  'bars: 95% intervals',
  'band: noise floor of the baseline',
].join(' &nbsp; ')

function listFacts(view: SessionOverview): [string, string][] {
  const { counts, baseline } = view
  const all: [string, string][] = [
    ['goal', `${view.metric}, ${view.direction} is better`],
    ['judged by', describeGate(view.gate)],
    ['resets', view.segment > 0 ? String(view.segment) : ''],
    [
      'runs',
      `${counts.total}: ${counts.keep} kept, ${counts.discard} discarded, ${counts.crash} crashed, ` +
        `${counts.checks_failed} failed checks`,
    ],
    [
      'baseline',
      baseline
        ? `${formatAmount(baseline.value, view.unit)}, noise floor ${baseline.floorPct.toFixed(1)}%`
        : '',
    ],
    ['best', bestWords(view)],
    ['final', finalWords(view)],
    ['command', view.command],
    ['scope', view.scope.join(', ')],
    ['machine', view.host],
    ['cost', costWords(view.cost)],
  ]
  return all.filter(([, value]) => value !== '')
}

function writeRow(row: OverviewRow, unit: string): string {
  const value = row.metric === undefined ? '' : formatAmount(row.metric, unit)
  const measured = row.parsed === undefined ? '' : `<s>${escapeMarkup(formatAmount(row.parsed, unit))}</s> `
  const moved = !row.effect
    ? ''
    : row.effect.ci[0] === row.effect.ci[1]
      ? formatSigned(row.effect.pct, row.effect)
      : formatChange(row.effect)
  const single = row.status === 'keep' && row.evidence !== 'paired'
  const cells = [
    String(row.run),
    measured + escapeMarkup(value),
    escapeMarkup(moved),
    escapeMarkup(formatOutcome(row)),
    escapeMarkup(row.description),
    escapeMarkup(row.commit?.slice(0, 10) ?? ''),
  ]
  const columns = cells.map((cell) => `<td>${cell}</td>`).join('')
  return `<tr class="${single ? 'keep single' : row.status}">${columns}</tr>`
}

/** Returns JSON text that cannot end the HTML element around it or change the text direction in an editor. */
function toInlineJson(view: SessionOverview): string {
  return JSON.stringify(view).replace(
    /[<\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
