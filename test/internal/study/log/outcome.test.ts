import { describe, expect, it, test } from 'vitest'
import {
  makeStudyEntry,
  type StudyEntries,
  type StudyStatus,
  type TaskResult,
} from '../../../../internal/study/log/entries.ts'
import {
  computeCitationAccuracy,
  computeCoverage,
  decideEnding,
  decideExitCode,
  describeQuotedParts,
} from '../../../../internal/study/log/outcome.ts'
import { claim, ended, studyOf, task, yes } from '../../../support/study.ts'

type NotRun = StudyEntries['task.not_run']['reason']

/**
 * Returns a study with one task per end. A word is a task that was not run. Every end that names a
 * claim gets one.
 */
function study(ends: readonly (TaskResult | NotRun)[], cap = 0, minCitation = 0.95) {
  const tasks = ends.map((_, i) => task(i + 1, `part ${i + 1}`))
  const dropped = Array.from({ length: cap }, () => ({ objective: 'more', reason: 'cap' as const }))
  return studyOf(
    [
      makeStudyEntry('plan', { of: 'rules', tasks, dropped, notices: [] }),
      ...ends.flatMap((end, i) =>
        typeof end === 'string'
          ? [makeStudyEntry('task.not_run', { task: `t${i + 1}`, reason: end })]
          : [
              ...end.claims.map((id) => makeStudyEntry('claim', claim(id, 'something is so'))),
              makeStudyEntry('task.ended', { task: `t${i + 1}`, result: end }),
            ],
      ),
    ],
    { minCitation },
  )
}

const done = (n: number) => ended('done', { claims: [`C${n}.1`] })

describe('ending', () => {
  const cases: [string, ReturnType<typeof study>, { status: string; reason?: string }][] = [
    ['all done', study([done(1), done(2)]), { status: 'done' }],
    ['covered and merged ones are answered', study([done(1), 'covered', 'merged']), { status: 'done' }],
    [
      'a gap',
      study([done(1), ended('partial', { reason: 'no_evidence' })]),
      { status: 'partial', reason: 'gaps' },
    ],
    ['a part beyond the cap', study([done(1)], 1), { status: 'partial', reason: 'cap' }],
    [
      'a failed task',
      study([done(1), ended('failed', { reason: 'bad_result' })]),
      { status: 'partial', reason: 'bad_result' },
    ],
    ['budget after a claim', study([done(1), 'budget']), { status: 'partial', reason: 'budget' }],
    ['budget before any claim', study(['budget', 'budget']), { status: 'partial', reason: 'budget' }],
    [
      'the deadline before any claim',
      study([ended('timed_out')]),
      { status: 'partial', reason: 'timed_out' },
    ],
    ['steps', study([ended('partial', { reason: 'turns' })]), { status: 'partial', reason: 'turns' }],
    [
      'nothing found',
      study([ended('partial', { reason: 'no_evidence' })]),
      { status: 'failed', reason: 'no_evidence' },
    ],
    [
      'no model',
      study([ended('failed', { reason: 'model_unreachable' })]),
      { status: 'failed', reason: 'model_unreachable' },
    ],
  ]
  it.each(cases)('%s', (_, state, expected) => expect(decideEnding(state)).toEqual(expected))
})

describe('exitCode', () => {
  const cases: [string, StudyStatus, boolean, number][] = [
    ['done and cited', 'done', true, 0],
    ['done and not cited', 'done', false, 5],
    ['partial and cited', 'partial', true, 3],
    ['partial and not cited', 'partial', false, 5],
    ['failed', 'failed', true, 1],
    ['cancelled', 'cancelled', true, 130],
    ['interrupted', 'paused', true, 130],
    ['still running', 'running', true, 1],
  ]
  it.each(cases)('%s', (_, status, verified, expected) => {
    const state = study([done(1)])
    state.status = status
    state.verdicts.set('C1.1', yes('C1.1', { verified }))
    expect(decideExitCode(state)).toBe(expected)
  })

  it('is 3 for a budget that did not reach a claim: nothing was cited wrongly', () => {
    const state = study(['budget'])
    state.status = 'partial'
    expect(decideExitCode(state)).toBe(3)
    expect(computeCitationAccuracy(state)).toBeNull()
  })

  it('measures against the threshold of the study', () => {
    const state = study([ended('done', { claims: ['C1.1', 'C1.2'] })], 0, 0.5)
    state.status = 'done'
    state.verdicts.set('C1.1', yes('C1.1'))
    expect(computeCitationAccuracy(state)).toBe(0.5)
    expect(decideExitCode(state)).toBe(0)
  })
})

describe('coverage', () => {
  it.each([
    ['everything', study([done(1), done(2)]), 1],
    ['what was covered is no part', study([done(1), 'covered']), 1],
    ['what was cut off is one', study([done(1)], 1), 0.5],
    ['a gap takes its share', study([ended('partial', { claims: ['C1.1'], gaps: ['x'] })]), 0.5],
    ['nothing', study(['budget']), 0],
  ])('%s', (_, state, expected) => expect(computeCoverage(state)).toBe(expected))
})

// The number of parts with a quote, for tasks of rules and of models.

describe('quoted parts', () => {
  const two = 'How does the store lock files, and what happens on a crash?'
  const task = (end: string, gaps: string[] = [], claims = 2) => ({ objective: two, end, claims, gaps })

  test.each([
    ['a task of rules that is done', [task('done')], true, 0, '2 of 2 parts quoted'],
    [
      'a gap that names a part',
      [task('partial', ['no quote for: what happens on a crash'])],
      true,
      0,
      '1 of 2',
    ],
    ['a gap that names no part', [task('partial', ['the words are apart: a (b.md:1)'])], true, 0, '1 of 2'],
    [
      'a part whose name no source contains',
      [task('partial', ['no passage contains "Crash"', 'no quote for: what happens on a crash'])],
      true,
      0,
      '1 of 2',
    ],
    ['an absent name without a part', [task('partial', ['no passage contains "quux"'])], true, 0, '1 of 2'],
    // A study that was stored before the words had quotes.
    [
      'stored gaps about one part',
      [task('partial', ['no passage holds Crash', 'no quote for: what happens on a crash'])],
      true,
      0,
      '1 of 2',
    ],
    ['more gaps than parts', [task('partial', ['a', 'b', 'c'])], true, 0, '0 of 2'],
    ['no claims', [task('partial', [], 0)], true, 0, '0 of 2'],
    ['a task of a model is one part', [task('done'), task('failed', [], 0)], false, 0, '1 of 2'],
    ['a part that was dropped', [task('done')], false, 1, '1 of 2'],
    ['one part', [task('done')], false, 0, '1 of 1 part quoted'],
    ['a merged task', [task('done'), { ...task('not_run'), reason: 'merged' }], false, 0, '1 of 1 part'],
    ['a task without time', [task('done'), { ...task('not_run'), reason: 'deadline' }], false, 0, '1 of 2'],
  ] as const)('%s', (_, tasks, isByRules, dropped, expected) => {
    expect(describeQuotedParts(tasks, isByRules, dropped)).toContain(expected)
  })
})
