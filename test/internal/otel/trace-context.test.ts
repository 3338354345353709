// The trace context: read if it is valid, and a new trace otherwise.
import { expect, it } from 'vitest'
import { formatTraceParent, readTraceParent } from '../../../internal/otel/trace-context.ts'

it('reads the format that it writes, and starts a trace for anything else', () => {
  const [traceId, parentSpanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  expect(readTraceParent(formatTraceParent(traceId, parentSpanId))).toEqual({ traceId, parentSpanId })
  expect(readTraceParent(`01-${traceId}-${parentSpanId}-01-more`)).toEqual({ traceId, parentSpanId })
  const wrong = [
    ...[undefined, '', 'x', `ff-${traceId}-${parentSpanId}-01`, `00-${traceId}-${'0'.repeat(16)}-01`],
    ...[`00-${'0'.repeat(32)}-${parentSpanId}-01`, `00-${traceId}-${parentSpanId}`],
  ]
  for (const text of wrong) {
    const fresh = readTraceParent(text)
    expect(fresh.parentSpanId, text).toBeUndefined()
    expect(fresh.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(fresh.traceId).not.toBe(traceId)
  }
})
