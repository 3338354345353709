// Spans in OTLP's JSON form, and the document that they are sent in.

/** The GenAI conventions are not stable: names are those of exactly this version, of April 2026. */
const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0'

export type AttributeValue = string | number

export interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 1: internal, 3: a request to somebody else. */
  kind: 1 | 3
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: object }[]
  /** 0: unset, 2: error. */
  status: { code: 0 | 2; message?: string }
}

/** What a collector takes in one request. */
export function formatTraces(spans: readonly OtlpSpan[], scope: string, version: string): object {
  const resource = { attributes: toAttributes({ 'service.name': 'anode', 'service.version': version }) }
  return {
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: scope, version }, spans, schemaUrl }] }],
  }
}

/** OTLP's JSON form writes 64-bit integers as strings. */
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
