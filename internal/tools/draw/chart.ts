// The tool chart: draws numbers as a bar, line or spark chart or a table, and returns a spec that the tool
// render draws again.
import * as z from 'zod/mini'
import { drawChart } from '../../render/chart/chart.ts'
import { chartSpec } from '../../render/chart/chart-spec.ts'
import { field } from '../../tool/field.ts'
import { failedResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './chart.md'

/** Settings of the text for a model: without color and with a fixed width, independent of the terminal. */
const look = { width: 80, color: 0, unicode: true, ambiguous: 1, all: false } as const

/**
 * Schema of a string or number. It has no type, because endpoints differ in the lists of types
 * that they accept.
 */
const label = z
  .unknown()
  .check(
    z.refine(
      (value): boolean => typeof value === 'string' || typeof value === 'number',
      'must be a string or a number',
    ),
  )

export const chart = defineTool({
  name: 'chart',
  about,
  level: 'auto_read',
  input: z.object({
    type: field(z._default(z.enum(['bar', 'line', 'sparkline', 'table']), 'bar'), 'Kind of chart'),
    title: field(z.optional(z.string()), 'Line above the chart'),
    data: field(z.optional(z.record(z.string(), z.unknown())), 'Numbers by label'),
    series: field(
      z.optional(
        z.array(
          z.object({ label: field(label, 'Text or number'), value: field(z.unknown(), 'Number to draw') }),
        ),
      ),
      'Labels and numbers in this order',
    ),
    width: field(z._default(z.number(), 40), 'Width in characters, at least 10', { cap: 500 }),
  }),
  example: { type: 'bar', title: 'latency', data: { p50: 12, p95: 45 } },
  async run(args) {
    const drawn = drawChart(args, look)
    if (!drawn.ok) return failedResult(drawn.code, drawn.message, { data: { errors: [drawn] } })
    const { points, notes, lines } = drawn
    const data = {
      type: args.type,
      points: points.map(({ label, value }) => ({ label, value })),
      notes,
      render_spec: chartSpec(args, points),
      errors: [],
      warnings: [],
    }
    return { text: lines.join('\n'), data }
  },
})
