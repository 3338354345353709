// The words for the codes of a study: each code has some, and none of them looks like a code.
import { describe, expect, it } from 'vitest'
import {
  addStudyReason,
  describeDoubt,
  describeMissingRow,
  describeNotice,
  describeStudyReason,
  describeTaskEnd,
  describeTaskNews,
  studyDoubtWords,
  studyNoticeWords,
  studyReasonWords,
} from '../../../../internal/session/board/study-words.ts'
import type {
  ClaimVerdict,
  StudyEntries,
  StudyPlan,
  TaskResult,
} from '../../../../internal/study/log/entries.ts'
import { read, sources } from '../../../support/sources.ts'

type NotRunReason = StudyEntries['task.not_run']['reason'] | StudyPlan['dropped'][number]['reason']

/** Codes of types. The compiler rejects a table if one is missing. */
const notRun: Readonly<Record<NotRunReason, true>> = {
  ...{ cap: true, merged: true, covered: true, budget: true, deadline: true, cancelled: true },
}
const doubts: Readonly<Record<NonNullable<ClaimVerdict['reason']>, true>> = {
  ...{ no_evidence: true, excerpt_damaged: true, quote_missing: true },
  ...{ unsupported: true, locator_wrong: true },
}
const ends: Readonly<Record<TaskResult['end'], true>> = {
  ...{ done: true, partial: true, failed: true, timed_out: true, budget: true, killed: true },
}

const files = sources().filter((file) => /^internal\/(?:service\/)?study\//.test(file))
const codesIn = (pattern: RegExp) =>
  files.flatMap((file) => [...read(file).matchAll(pattern)].map(([, code = '']) => code))
const lacking = (codes: readonly string[], ...tables: Readonly<Record<string, string>>[]) =>
  codes.filter((code) => !tables.some((table) => Object.hasOwn(table, code)))

describe('there are words', () => {
  it('for each reason for which a task does not run', () => {
    expect(lacking(Object.keys(notRun), studyReasonWords)).toEqual([])
  })

  it('for each reason that the sources write', () => {
    const codes = codesIn(/\b(?:reason|cut|failed|lacking)(?::| =) '(\w+)'/g)
    expect(codes).toEqual(expect.arrayContaining(['no_evidence_for_part', 'bad_result', 'model_unavailable']))
    expect(lacking(codes, studyReasonWords, studyDoubtWords)).toEqual([])
  })

  it('for each reason of a claim or a cell that is not verified', () => {
    const cells = codesIn(/\breject\('(\w+)'\)/g)
    expect(cells).toContain('value_missing')
    expect(lacking([...Object.keys(doubts), ...cells, 'not_checked'], studyDoubtWords)).toEqual([])
  })

  it('for each notice', () => {
    const codes = codesIn(/\bcode: '(\w+)', text\b/g)
    expect(codes).toContain('model_switched')
    expect(lacking([...codes, 'plan_fallback'], studyNoticeWords)).toEqual([])
  })
})

const rows = [studyReasonWords, studyDoubtWords, studyNoticeWords].flatMap((table) => Object.entries(table))

it.each(rows)('the words for %s are short and plain: %s', (_, words) => {
  expect(words).toMatch(/^[a-z]+(?: [a-z]+){0,5}$/)
})

it.each(Object.keys(ends))('the end %s of a task has no underscore', (end) => {
  expect(describeTaskEnd(end)).toBe(end.replace('_', ' '))
})

it.each([
  ['no_evidence_for_part', 'no evidence for a part'],
  ['model_unreachable: fetch failed', 'the model cannot be reached: fetch failed'],
  ['auth', 'no valid key'],
  ['stalled', 'no progress'],
  ['a_later_reason', 'a later reason'],
  ['on request', 'on request'],
])('shows the reason "%s" as "%s"', (reason, words) => {
  expect(describeStudyReason(reason)).toBe(words)
  expect(addStudyReason('partial', reason)).toBe(`partial (${words})`)
  expect(addStudyReason('partial', null)).toBe('partial')
})

it.each([
  ['running', 'grep no_evidence: a_b', 'grep no_evidence: a_b'],
  ['running', null, null],
  ['short', 'partial: no_evidence_for_part', 'partial: no evidence for a part'],
  ['short', 'not run: cap', 'not run: too many parts'],
  ['short', 'timed_out: deadline', 'timed out: no time left'],
  ['failed', 'failed: auth: 401 my_key', 'failed: no valid key: 401 my_key'],
  ['done', 'done', 'done'],
] as const)('shows the news of a %s task, %s, as %s', (phase, news, words) => {
  expect(describeTaskNews({ phase, news })).toBe(words)
})

it('shows doubts, notices and missing rows in words', () => {
  expect(describeDoubt('quote_missing')).toBe('quote not found in its source')
  expect([null, undefined].map(describeDoubt)).toEqual(['not checked yet', 'not checked yet'])
  expect(describeNotice('plan_fallback: no JSON')).toBe('planned by rules: no JSON')
  expect(describeMissingRow('not read: deadline')).toBe('not read: no time left')
  expect(describeMissingRow('not read yet')).toBe('not read yet')
  expect(describeMissingRow('bad_result: no row')).toBe('the answer was not valid: no row')
})
