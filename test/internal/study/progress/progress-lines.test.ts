import { expect, it } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { advanceStudyState, beginStudyState, foldStudy } from '../../../../internal/study/log/state.ts'
import type { TaskState } from '../../../../internal/study/log/task-end.ts'
import {
  formatProgress,
  formatStudyCost,
  isLasting,
  taskLine,
} from '../../../../internal/study/progress/progress-lines.ts'
import { extractTerms } from '../../../../internal/text-analysis/terms.ts'
import { ended, finished, lines, task } from '../../../support/study.ts'

/** Returns all progress texts for these entries in order. */
function told(entries: ReturnType<typeof finished>): string[] {
  const [first, ...rest] = lines(entries)
  if (!first) return []
  const state = beginStudyState(first)
  return [
    ...formatProgress(first, state),
    ...rest.flatMap((line) => {
      advanceStudyState(state, line)
      return formatProgress(line, state)
    }),
  ]
}

it('describes a study from its head to its end', () => {
  expect(told([...finished(), makeStudyEntry('status', { status: 'partial', reason: 'gaps' })])).toEqual([
    'study 01JD3K8QAA  model builtin/extract (deterministic extraction, not a language model)  ' +
      'workers 2  engine embedded',
    'plan    t1   lock files (lock, files)',
    '        t2   crash (crash)',
    't1   found     2 claims  2 evidence  3 steps  5.0 s',
    't2   partial   1 claim  1 evidence  3 steps  3.0 s  no evidence for a part  gaps: recovery order',
    'verify  3 of 3 quotes found',
    'report  partial (gaps), 1 of 2 parts quoted - 1 gap. anode study report 01JD3K8QAA',
  ])
})

it('shows whole words of the question in the plan, because terms are cut: entrie', () => {
  const question = 'How many entries does one of the retries read?'
  const plan = { of: 'rules' as const, tasks: [{ ...task(1, question), terms: extractTerms(question) }] }
  const [first] = finished()
  const text = told([first as never, makeStudyEntry('plan', { ...plan, dropped: [], notices: [] })])
  expect(text[1]).toBe(`plan    t1   ${question} (entries, retries, read)`)
})

it.each([
  [400, ''],
  [3_400, '  read 69 files in 3.4 s'],
])('reports that reading the files took %i ms', (ms, words) => {
  const read = { files: 69, bytes: 12_000_000 }
  const [first] = lines(finished())
  const { created } = beginStudyState(first as never).head
  const [head] = told(finished({ read, surveyed: { at: created - ms, names: '' } }))
  expect(head?.replace(/^.* engine embedded/, '')).toBe(words)
})

it.each([
  [
    'a second attempt',
    makeStudyEntry('task.started', { task: 't1', epoch: 2, owner: 'w9', attempt: 2, pid: 1, host: 'h' }),
    't1   started again by w9, attempt 2',
  ],
  [
    'a lost lease',
    makeStudyEntry('task.lost', { task: 't1', epoch: 1, owner: 'w1', why: 'worker ended' }),
    't1   lost      worker ended',
  ],
  [
    'a task that was added',
    makeStudyEntry('task.added', { task: task(3, 'rest'), why: 'stalled' }),
    'plan    t3   rest: stalled',
  ],
  [
    'a task that is not run',
    makeStudyEntry('task.not_run', { task: 't1', reason: 'budget' }),
    't1   not run   no budget left',
  ],
  [
    'a notice',
    makeStudyEntry('notice', { code: 'plan_fallback', text: 'no JSON' }),
    'note    planned by rules: no JSON',
  ],
  [
    'a failure',
    makeStudyEntry('status', { status: 'failed', reason: 'store' }),
    'failed  store. anode study report 01JD3K8QAA says why',
  ],
  [
    'that rules have found nothing',
    makeStudyEntry('status', { status: 'failed', reason: 'no_evidence' }),
    'report  nothing found. anode study report 01JD3K8QAA names what is nearest',
  ],
  [
    'an interruption',
    makeStudyEntry('status', { status: 'paused', reason: 'SIGINT' }),
    'paused  SIGINT. anode study resume 01JD3K8QAA',
  ],
  [
    'hostile text',
    makeStudyEntry('notice', { code: 'x', text: '\x1b[2J\x1b]0;t\x07red\nline' }),
    'note    x: red line',
  ],
])('prints %s', (_, last, expected) => expect(told([...finished().slice(0, 4), last]).at(-1)).toBe(expected))

it('skips entries that are only work', () => {
  const quiet = finished().filter(({ kind }) => ['evidence', 'claim', 'verdict'].includes(kind))
  const before = told(finished().slice(0, 3))
  expect(told([...finished().slice(0, 3), ...quiet])).toEqual(before)
})

it('lists what a plan skips', () => {
  const plan = makeStudyEntry('plan', {
    of: 'rules',
    tasks: [task(1, 'one', { terms: [] })],
    dropped: [{ objective: 'two', reason: 'cap' }],
    notSplit: 'one task covers all parts',
    notices: ['plan_fallback: no JSON'],
  })
  expect(told([finished()[0] as never, plan]).slice(1)).toEqual([
    'plan    t1   one',
    '        not run (too many parts): two',
    '        not split: one task covers all parts',
    '        planned by rules: no JSON',
  ])
  expect(ended('done').claims).toEqual([])
})

it('prints for each task whether it waits, runs or has ended', () => {
  const entries = finished()
  const upTo = (kind: string) => entries.slice(0, entries.findIndex((entry) => entry.kind === kind) + 1)
  const first = (kind: string) => {
    const state = foldStudy(lines(upTo(kind)))
    return taskLine([...state.tasks.values()][0] as TaskState, state)
  }
  expect(first('plan')).toBe('t1   open      lock files')
  expect(first('task.started')).toBe('t1   running   lock files')
  expect(first('task.ended')).toMatch(/^t1 {3}found {5}2 claims/)
})

it('prints a cost only if there is one', () => {
  const llm = { name: 'm', kind: 'llm' } as const
  expect(formatStudyCost({ model: { name: 'builtin/extract', kind: 'rules' }, usd: 0 })).toBe('free')
  expect([null, 0, 0.0213, 1.5].map((usd) => formatStudyCost({ model: llm, usd }))).toEqual([
    'unknown',
    '$0.00',
    '$0.0213',
    '$1.50',
  ])
})

it('keeps next to an answer only what the answer does not contain', () => {
  const failed = makeStudyEntry('task.ended', { task: 't1', result: ended('failed', { reason: 'store' }) })
  const kept = lines([...finished(), failed]).filter(isLasting)
  expect(kept.map(({ kind }) => kind)).toEqual(['study', 'task.ended'])
})
