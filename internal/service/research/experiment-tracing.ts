// Tracing of experiments: each measured experiment becomes a span, which is one entry of a trace.

import { toAttributes, toNanoseconds } from '../../otel/otlp-span.ts'
import type { RunTracing } from '../../otel/run-tracing.ts'
import { createSpanId, type TraceContext } from '../../otel/trace-context.ts'
import type { ResearchSession } from '../../research/session.ts'

/** Returns the session with a span for each of its runs. */
export function traceExperiments(
  research: ResearchSession,
  { context, add }: Pick<RunTracing, 'context' | 'add'>,
): ResearchSession {
  return {
    ...research,
    async run(request) {
      const began = Date.now()
      try {
        const measured = await research.run(request)
        const { run, status, gate, metricName, metric } = measured
        add(
          experimentSpan(context, began, undefined, { run, status, gate, metric: metricName, value: metric }),
        )
        return measured
      } catch (error) {
        add(experimentSpan(context, began, String(error), {}))
        throw error
      }
    },
  }
}

function experimentSpan(
  { traceId, parentSpanId }: TraceContext,
  began: number,
  failed: string | undefined,
  about: Record<string, string | number | undefined>,
) {
  const attributes = Object.fromEntries(
    Object.entries(about).map(([name, value]) => [`anode.experiment.${name}`, value]),
  )
  return {
    traceId,
    spanId: createSpanId(),
    name: 'experiment',
    kind: 1 as const,
    parentSpanId,
    startTimeUnixNano: toNanoseconds(began),
    endTimeUnixNano: toNanoseconds(Date.now()),
    attributes: toAttributes(attributes),
    status: failed === undefined ? { code: 0 as const } : { code: 2 as const, message: failed },
  }
}
