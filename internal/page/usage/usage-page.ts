// Page with tokens and cost by day, model, profile or tool, as a chart and as figures, with the share
// of the cache.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { usePolled } from '../connection/use-polled.ts'
import { ShareBar } from '../part/fact-list.ts'
import { formatCount, formatMoney, formatPercent } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'
import { figureHeads, WideTable } from '../text/wide-table.ts'
import { UsageChart } from './usage-chart.ts'
import { nameRow, type UsageRow, usageKeys } from './usage-row.ts'

const pollMs = 15_000
const dayMs = 24 * 60 * 60_000

const spans = [
  ['7', 'last 7 days'],
  ['30', 'last 30 days'],
  ['', 'ever'],
] as const

export function UsagePage() {
  const [by, setBy] = useState<(typeof usageKeys)[number]>('day')
  const [days, setDays] = useState('30')
  const since =
    days === '' ? '' : `&since=${new Date(Date.now() - Number(days) * dayMs).toISOString().slice(0, 10)}`
  const path = `/v1/usage?by=${by}${since}`
  const { value, problem } = usePolled<{ by: string; rows: UsageRow[]; total: UsageRow }>(path, pollMs)
  useEffect(() => {
    document.title = 'Usage · Anode'
  }, [])
  const chooseKey = (event: Event) => setBy((event.target as HTMLSelectElement).value as typeof by)
  const chooseDays = (event: Event) => setDays((event.target as HTMLSelectElement).value)
  const keyOptions = usageKeys.map((key) => h('option', { value: key }, key))
  const spanOptions = spans.map(([count, words]) => h('option', { value: count }, words))
  return [
    h(
      'div',
      { class: 'head' },
      h('h1', null, 'Usage'),
      h(
        'div',
        { class: 'tools' },
        h('label', null, 'By ', h('select', { onChange: chooseKey, value: by }, keyOptions)),
        h('label', null, 'Time ', h('select', { onChange: chooseDays, value: days }, spanOptions)),
      ),
    ),
    h('p', { role: 'alert', class: 'problem' }, problem),
    value && value.rows.length === 0 && h('p', { class: 'empty' }, 'Nothing was used in this time.'),
    value &&
      value.rows.length > 0 && [
        h(Totals, { total: value.total }),
        h(UsageChart, { by: value.by, rows: value.rows }),
        h(UsageTable, { value }),
      ],
  ]
}

function Totals({ total }: { total: UsageRow }) {
  const { requests, fresh, cache_read: read, cache_write: write, output, usd, cached_share: share } = total
  const figures: [string, string][] = [
    ['cost', formatMoney(usd)],
    ['input tokens', formatCount(fresh + read + write)],
    ['output tokens', formatCount(output)],
    ['from cache', share === null ? 'not known' : formatPercent(share)],
    ['requests', formatCount(requests)],
  ]
  return h(
    'dl',
    { class: 'totals' },
    figures.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value))),
  )
}

function UsageTable({ value }: { value: { by: string; rows: UsageRow[]; total: UsageRow } }) {
  const heads = [value.by, ...figureHeads('requests', 'input', 'from cache', 'output', 'cost')]
  const row = (name: string, figures: UsageRow) => {
    const {
      requests,
      fresh,
      cache_read: read,
      cache_write: write,
      output,
      usd,
      cached_share: share,
    } = figures
    const cells = [
      formatCount(requests),
      formatCount(fresh + read + write),
      share === null ? '' : [formatPercent(share), h(ShareBar, { share })],
      formatCount(output),
      usd === null ? '' : formatMoney(usd),
    ]
    return h(
      'tr',
      { key: name },
      h('th', { scope: 'row' }, revealText(name)),
      cells.map((cell) => h('td', { class: 'figure' }, cell)),
    )
  }
  const ordered = value.by === 'day' ? value.rows.toReversed() : value.rows
  const rows = ordered.map((figures) => row(nameRow(value.by, figures), figures))
  return h(WideTable, { label: 'Usage', heads, rows, foot: row('all', value.total) })
}
