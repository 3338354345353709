// A chart as a spec: a JSON description of components, which other renderers can show too.
import type { ChartInput, ChartPoint } from './chart.ts'

interface ChartSpec {
  root: string
  elements: Record<string, { type: string; props: Record<string, unknown>; children: string[] }>
}

/**
 * Returns the spec: bars, a sparkline or a table, below the title if there is one. A line chart becomes a
 * sparkline, because no component renders line charts. Points without a finite number appear only in a table.
 */
export function chartSpec({ type, title, width }: ChartInput, points: readonly ChartPoint[]): ChartSpec {
  const finite = points.filter((point) => Number.isFinite(point.number))
  const leaf = (kind: string, props: Record<string, unknown>) => ({ type: kind, props, children: [] })
  const area = Math.min(500, Math.max(10, Math.trunc(width)))
  const chart =
    type === 'bar'
      ? leaf('BarChart', {
          data: finite.map(({ label, number }) => ({ label, value: number, color: 'green' })),
          width: area,
        })
      : type === 'table'
        ? leaf('Table', {
            columns: [
              { header: 'label', key: 'label' },
              { header: 'value', key: 'value', align: 'right' },
            ],
            rows: points.map(({ label, number, value }) => ({ label, value: toCellText(number, value) })),
          })
        : leaf('Sparkline', { data: finite.map((point) => point.number), width: area })
  if (!title) return { root: 'chart', elements: { chart } }
  const box = { type: 'Box', props: { flexDirection: 'column' }, children: ['title', 'chart'] }
  return { root: 'main', elements: { main: box, title: leaf('Heading', { text: title }), chart } }
}

/** Returns `number` as text if it is finite; otherwise returns `value`, as JSON unless it is a string. */
function toCellText(number: number, value: unknown): string {
  if (Number.isFinite(number)) return String(number)
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
