// Spans in OTLP's JSON form, and the request body that contains them.

/**
 * URL of the convention that the attribute names follow. The GenAI conventions are not stable, so the names
 * are those of this version, of April 2026.
 */
const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0'

export type AttributeValue = string | number

export interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 1: internal, 3: request to another service. */
  kind: 1 | 3
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: object }[]
  /** Outcome of the span. Code 0: unset, 2: error. */
  status: { code: 0 | 2; message?: string }
}

/** Returns the body of one request to a collector. */
export function formatTraces(spans: readonly OtlpSpan[], scope: string, version: string): object {
  const resource = { attributes: toAttributes({ 'service.name': 'anode', 'service.version': version }) }
  return {
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: scope, version }, spans, schemaUrl }] }],
  }
}

/**
 * Returns milliseconds as a string of nanoseconds, because OTLP's JSON form writes 64-bit integers so. A
 * negative time becomes 0.
 */
export const toNanoseconds = (ms: number): string => `${Math.max(0, Math.round(ms))}000000`

export function toAttributes(values: Record<string, AttributeValue | undefined>): OtlpSpan['attributes'] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toValue(value) }],
  )
}

function toValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
