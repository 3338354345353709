// Tracing of one process: its runs as spans, sent to the collector that the environment sets.
import type { EnvironmentVariables } from '../base/environment.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { hideUrlSecrets } from '../base/url-credentials.ts'
import type { Event } from '../event/event.ts'
import type { OtlpSpan } from './otlp-span.ts'
import { createRunSpans } from './run-spans.ts'
import { createSpanExporter, readExporterHeaders } from './span-exporter.ts'
import { createSpanId, formatTraceParent, readTraceParent, type TraceContext } from './trace-context.ts'

export interface RunTracing {
  readonly context: TraceContext
  take(thread: string, event: Event): void
  add(span: OtlpSpan): void
  /** Returns a copy of the environment with TRACEPARENT, so that child processes continue the trace. */
  environment(env: EnvironmentVariables): EnvironmentVariables
  close(): Promise<void>
}

let hasWarned = false

/**
 * Opens tracing for the collector in OTEL_EXPORTER_OTLP_ENDPOINT. If spans were not accepted, `close` calls
 * `warn` with their number, once per process.
 */
export function openRunTracing(
  env: EnvironmentVariables,
  { content, warn }: { content: boolean; warn(text: string): void },
): RunTracing {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''
  const version = process.env.ANODE_VERSION ?? '0'
  const exporter = createSpanExporter(endpoint, { version, headers: readExporterHeaders(env) })
  const context = readTraceParent(env.TRACEPARENT)
  const firstSpanId = createSpanId()
  const spans = createRunSpans({ context, firstSpanId, content, emit: (span) => exporter.add(span) })
  return {
    context,
    take: (thread, event) => spans.take(thread, event),
    add: (span) => exporter.add(span),
    environment: (variables) => ({
      ...variables,
      TRACEPARENT: formatTraceParent(context.traceId, firstSpanId),
    }),
    async close() {
      const dropped = await exporter.close()
      if (dropped === 0 || hasWarned) return
      hasWarned = true
      const spans = countNoun(dropped, 'span was', 'spans were')
      warn(`${spans} not taken by ${hideUrlSecrets(endpoint)} (OTEL_EXPORTER_OTLP_ENDPOINT)`)
    },
  }
}
