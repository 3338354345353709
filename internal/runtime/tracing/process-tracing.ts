// Traces of this process, which are sent to the collector (OpenTelemetry) that the environment names.
import { openRunTracing, type RunTracing } from '../../otel/run-tracing.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

/** Opens the tracing of this process. The function that ends it is added to `closers`. */
export function openProcessTracing(
  { env, loaded }: Pick<WorkspaceContext, 'env' | 'loaded'>,
  closers: (() => void | Promise<void>)[],
): RunTracing {
  const tracing = openRunTracing(env, {
    content: loaded.config.otel?.content === true,
    warn: (text) => void process.stderr.write(`note: ${text}\n`),
  })
  closers.push(() => tracing.close())
  return tracing
}
