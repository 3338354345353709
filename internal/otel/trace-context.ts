// The place of a span in a trace, as processes hand it on (W3C Trace Context).
import { randomBytes } from 'node:crypto'

export interface TraceContext {
  traceId: string
  /** Of the span that is above; absent: the trace begins here. */
  parentSpanId?: string
}

export const createSpanId = () => randomBytes(8).toString('hex')

/** What stands in TRACEPARENT; a new trace where that is not there or cannot be read. */
export function readTraceParent(text: string | undefined): TraceContext {
  const [, version, traceId = '', parentSpanId = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/.exec(text?.trim() ?? '') ?? []
  const isUsable =
    version !== undefined && version !== 'ff' && /[^0]/.test(traceId) && /[^0]/.test(parentSpanId)
  return isUsable ? { traceId, parentSpanId } : { traceId: randomBytes(16).toString('hex') }
}

export const formatTraceParent = (traceId: string, spanId: string) => `00-${traceId}-${spanId}-01`
