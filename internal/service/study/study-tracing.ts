// Trace spans of a study, made from its journal and sent after its coordinator, the process that directs
// it, has ended.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { openRunTracing } from '../../otel/run-tracing.ts'
import { readTraceParent } from '../../otel/trace-context.ts'
import type { Journal, JournalLine } from '../../store/journal/journal.ts'
import type { StudyHead } from '../../study/log/entries.ts'
import { listStudySpans } from '../../study/progress/otel-spans.ts'

/** Sends the spans. Never rejects, because a failure of tracing must not fail the study. */
export async function sendStudySpans(
  env: EnvironmentVariables,
  journal: Pick<Journal, 'read'>,
  head: StudyHead,
): Promise<void> {
  const warn = (text: string) => void process.stderr.write(`note: ${text}\n`)
  const tracing = openRunTracing(env, { content: false, warn })
  try {
    const lines: JournalLine[] = []
    for (let after = 0; ; ) {
      const page = await journal.read(head.id, after, 1_000)
      lines.push(...page)
      after = page.at(-1)?.seq ?? after
      if (page.length < 1_000) break
    }
    const outer = env.TRACEPARENT === undefined ? undefined : readTraceParent(env.TRACEPARENT)
    for (const span of listStudySpans(lines, head, outer)) tracing.add(span)
  } catch (error) {
    warn(`the spans of the study were not sent: ${String(error)}`)
  }
  await tracing.close()
}
