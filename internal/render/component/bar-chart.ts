// BarChart: one bar for each value, followed by its number, its share, both or nothing.
import { type ChartBar, drawBars } from '../chart/bar.ts'
import { formatNumber } from '../chart/number.ts'
import type { ComponentProps } from '../spec/props.ts'
import { type ComponentRenderer, limitItems } from './component.ts'

const usual = 30

export const barChart: ComponentRenderer<ComponentProps['BarChart']> = {
  draw(props, width, pen, warn) {
    const { shown: visibleItems, rest } = limitItems(props.data, 'bars', pen, warn)
    const items = visibleItems.map(
      (item, i): ChartBar => ({ ...item, number: numberOf(props, i), color: item.color ?? undefined }),
    )
    const lines = items.length > 0 ? drawBars(items, Math.trunc(props.width ?? usual), width, pen) : []
    const note = rest ?? (items.length === 0 ? '(no data)' : undefined)
    return note ? [...lines, ...pen.wrap(note, width).map((text) => pen.line(text))] : lines
  },
  speak(props, pen, warn) {
    const { shown: visibleItems, rest } = limitItems(props.data, 'bars', pen, warn)
    const items = visibleItems.map(({ label }, i) => [label, numberOf(props, i)].filter(Boolean).join(': '))
    return [[...items, ...(rest ? [rest] : [])].join('; ') || '(no data)']
  },
}

/**
 * Returns the text after the bar: `12`, `26.1%`, `12 (26.1%)` or an empty text. Shares are of the
 * sum of magnitudes.
 */
function numberOf({ data, showValues, showPercentage }: ComponentProps['BarChart'], i: number): string {
  const value = (data[i] as { value: number }).value
  const number = showValues === false ? '' : formatNumber(value)
  if (!showPercentage) return number
  const share = percentOf(value, data)
  return number ? `${number} (${share})` : share
}

const sums = new WeakMap<object, number>()

function percentOf(value: number, data: ComponentProps['BarChart']['data']): string {
  let sum = sums.get(data)
  if (sum === undefined) {
    // Each magnitude is divided by the number of values first, so that the sum cannot overflow.
    sum = data.reduce((total, item) => total + Math.abs(item.value) / data.length, 0)
    sums.set(data, sum)
  }
  const share = sum > 0 ? Math.abs(value) / data.length / sum : 0
  return `${Number((share * 100).toFixed(1))}%`
}
