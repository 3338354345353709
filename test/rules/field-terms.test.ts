// The terms of the field lead to their files: who looks for a term among the names of files finds what it is about.
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { sources, wordsOfName } from '../support/sources.ts'

/** Each term with the file that a reader means by it, and its relatives of the same name. */
const terms: Readonly<Record<string, readonly string[]>> = {
  heartbeat: ['internal/study/engine/heartbeat.ts'],
  'worker budget': ['internal/study/worker/worker-budget.ts'],
  'worker pool': ['internal/study/engine/worker-pool.ts'],
  replay: ['internal/agent/replay.ts', 'internal/study/worker/task-replay.ts', 'internal/model/replay.ts'],
  compaction: ['internal/agent/compaction.ts', 'internal/study/worker/result-compaction.ts'],
  'final-answer schema': ['internal/study/worker/final-answer-schema.ts'],
  'task prompt': ['internal/study/worker/task-prompt.ts'],
  runtime: ['internal/runtime/runtime.ts', 'internal/service/research/experiment-runtime.ts'],
  'parent agent': ['internal/runtime/agent/parent-agent.ts'],
  workspace: [
    'internal/runtime/workspace/workspace.ts',
    'internal/research/workspace/experiment-workspace.ts',
  ],
  'external tools': ['internal/runtime/tools/external-tools.ts'],
  doctor: ['internal/service/doctor/doctor.ts', 'cmd/anode/doctor.ts'],
  'A/A test': ['internal/research/aa-test.ts'],
  'final comparison': ['internal/research/final-comparison.ts'],
  'crash recovery': ['internal/research/outcome/crash-recovery.ts', 'internal/runtime/crash-recovery.ts'],
  'benchmark checkout': ['internal/research/measure/benchmark-checkout.ts'],
  'call middleware': ['internal/tool/call-middleware.ts'],
  durations: ['internal/tui/duration.ts'],
  lease: ['internal/store/journal/lease-fencing.ts', 'internal/study/worker/lost-leases.ts'],
  fencing: ['internal/store/journal/lease-fencing.ts'],
  mailbox: ['internal/store/mail/mailbox.ts', 'internal/study/redis/mailbox.ts'],
  'null test': ['internal/research/measure/null-test.ts'],
  'noise floor': ['internal/research/stats/noise-floor.ts'],
  'guardrail metric': ['internal/research/judge/guardrail-metric.ts'],
  'permission rule': ['internal/policy/rules/permission-rule.ts'],
  'path jail': ['internal/policy/paths/path-jail.ts'],
  'SSRF guard': ['internal/net/ssrf-guard.ts'],
  'stream retry': ['internal/model/stream-retry.ts'],
  'tool schema': ['internal/tool-support/tool-schema.ts'],
  progress: ['internal/study/progress/progress-record.ts', 'internal/study/progress/progress-lines.ts'],
}

/** Terms that no file is named after yet, as a file would have them. They may only get fewer. */
const withoutFile: readonly string[] = []

const singular = (word: string) => word.replace(/(?<!s)s$/, '')
const wordsOf = (text: string) => wordsOfName(text.replace('/', '')).map(singular).join(' ')

/** The files whose name holds the words of a term, in their order. */
const filesNamed = (term: string) =>
  sources().filter((file) => ` ${wordsOf(basename(file, '.ts'))} `.includes(` ${wordsOf(term)} `))

test('there are thirty terms', () => {
  expect([...Object.keys(terms), ...withoutFile]).toHaveLength(30)
})

test.each(Object.entries(terms))('%s leads to its files', (term, files) => {
  expect(filesNamed(term)).toEqual(expect.arrayContaining([...files]))
})

test('terms without a file have none', () => {
  expect(withoutFile.filter((term) => filesNamed(term).length > 0)).toEqual([])
})
