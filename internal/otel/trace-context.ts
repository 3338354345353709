// Trace context of a span in the form of W3C Trace Context, in which one process passes it to another.
import { randomBytes } from 'node:crypto'

export interface TraceContext {
  traceId: string
  /** Id of the parent span; missing if the span begins the trace. */
  parentSpanId?: string
}

export const createSpanId = () => randomBytes(8).toString('hex')

/** Parses TRACEPARENT; returns a new trace if it is missing or invalid. */
export function readTraceParent(text: string | undefined): TraceContext {
  const [, version, traceId = '', parentSpanId = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/.exec(text?.trim() ?? '') ?? []
  const isUsable =
    version !== undefined && version !== 'ff' && /[^0]/.test(traceId) && /[^0]/.test(parentSpanId)
  return isUsable ? { traceId, parentSpanId } : { traceId: randomBytes(16).toString('hex') }
}

export const formatTraceParent = (traceId: string, spanId: string) => `00-${traceId}-${spanId}-01`
