// The number of parts with a quote, for tasks of rules and of models.
import { expect, test } from 'vitest'
import { describeQuotedParts } from '../../../../internal/study/log/quoted-parts.ts'

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
