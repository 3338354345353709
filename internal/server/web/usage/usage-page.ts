// Tokens and money by day, model or profile, with the share that came from the cache.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { usePolled } from '../connection/use-polled.ts'
import { formatCount, formatMoney } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'
import { WideTable } from '../text/wide-table.ts'

/** As far as it is shown, of what `usage --json` has. */
interface UsageRow {
  requests: number
  fresh: number
  cache_read: number
  cache_write: number
  output: number
  usd: number | null
  cached_share: number | null
  [key: string]: string | number | null
}

const keys = ['day', 'model', 'profile', 'tool'] as const
const pollMs = 15_000

export function UsagePage() {
  const [by, setBy] = useState<(typeof keys)[number]>('day')
  const { value, problem } = usePolled<{ by: string; rows: UsageRow[]; total: UsageRow }>(
    `/v1/usage?by=${by}`,
    pollMs,
  )
  useEffect(() => {
    document.title = 'Usage · Anode'
  }, [])
  const choose = (event: Event) => setBy((event.target as HTMLSelectElement).value as typeof by)
  const options = keys.map((key) => h('option', { value: key }, key))
  return [
    h('h1', null, 'Usage'),
    h('p', { role: 'alert', class: 'problem' }, problem),
    h('p', null, h('label', null, 'By ', h('select', { onChange: choose }, options))),
    value && value.rows.length === 0 && h('p', null, 'Nothing was used yet.'),
    value && value.rows.length > 0 && h(UsageTable, { value }),
  ]
}

function UsageTable({ value }: { value: { by: string; rows: UsageRow[]; total: UsageRow } }) {
  const heads = [value.by, 'requests', 'input', 'from cache', 'output', 'cost']
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
      ...[formatCount(requests), formatCount(fresh + read + write)],
      ...[share === null ? '' : `${Math.round(100 * share)} %`, formatCount(output), formatMoney(usd)],
    ]
    return h(
      'tr',
      { key: name },
      h('th', { scope: 'row' }, revealText(name)),
      cells.map((cell) => h('td', { class: 'figure' }, cell)),
    )
  }
  const rows = value.rows.map((figures) => row(String(figures[value.by] ?? 'unknown'), figures))
  return h(WideTable, { label: 'Usage', heads, rows, foot: row('all', value.total) })
}
