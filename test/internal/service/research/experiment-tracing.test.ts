// Spans of experiments: measured ones, and those that end with an error.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { OtlpSpan } from '../../../../internal/otel/otlp-span.ts'
import { createRunner } from '../../../../internal/process/run-command.ts'
import { openResearch } from '../../../../internal/research/engine.ts'
import { traceExperiments } from '../../../../internal/service/research/experiment-tracing.ts'
import { repoWith } from '../../../support/repo.ts'
import { scratch } from '../../../support/scratch.ts'

it('sends a span for every experiment, also for one that cannot be measured', async () => {
  const cwd = repoWith({ 'ms.txt': '100\n' })
  const data = join(scratch(), 'data')
  const env = { PATH: process.env.PATH }
  const runner = createRunner({ dataDir: data, env, keep: [] })
  const spans: OtlpSpan[] = []
  try {
    const { signal } = new AbortController()
    const research = await openResearch({ cwd, data, env, run: runner.run, trusted: true, signal })
    const context = { traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) }
    const traced = traceExperiments(research, { context, add: (span) => spans.push(span) })
    await expect(traced.run({})).rejects.toThrow()
    expect(spans).toMatchObject([
      {
        name: 'experiment',
        traceId: context.traceId,
        parentSpanId: context.parentSpanId,
        status: { code: 2 },
      },
    ])
  } finally {
    await runner.close()
  }
})
