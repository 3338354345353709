// Every end of a subagent, with and without text: only completed work is not a failure.
import { expect, test } from 'vitest'
import { formatReceipts, subagentFailure } from '../../../internal/tool-support/subagent-failure.ts'

const ends = ['done', 'partial', 'limit', 'cancelled', 'failed'] as const

test.each(ends.flatMap((end) => ['', ' \n', 'So far.'].map((text) => [end, text] as const)))(
  '%s with %j',
  (end, text) => {
    const hasText = text.trim() !== ''
    const isFine = hasText && end !== 'cancelled' && end !== 'failed'
    expect(subagentFailure({ end, text, reason: undefined }) === undefined).toBe(isFine)
    if (end === 'cancelled') expect(subagentFailure({ end, text, reason: undefined })).toBe('cancelled')
    if (end === 'failed') expect(subagentFailure({ end, text, reason: undefined })).toBe('run_failed')
  },
)

test('without text, a denied call still differs from a limit', () => {
  expect(subagentFailure({ end: 'limit', text: '', reason: 'denied' })).toBe('denied')
  expect(subagentFailure({ end: 'limit', text: '', reason: 'time' })).toBe('limit_reached')
})

const done = { read: [], changed: [], commands: [] }

test.each([
  ['nothing', done, []],
  [
    'paths',
    { ...done, read: ['a', 'b'], changed: ['c'], searched: ['.'] },
    ['changed: c', 'read: a, b', 'searched: .'],
  ],
  ['a command', { ...done, commands: [{ command: 'make', exit: 0 }] }, ['ran: make -> 0']],
  ['no exit', { ...done, commands: [{ command: 'make', exit: null }] }, ['ran: make -> no exit code']],
  [
    'one failing pipe',
    { ...done, commands: [{ command: 'a | b', exit: 0, pipe: [2, 0] }] },
    ['ran: a | b -> 0, in the pipe 2 0'],
  ],
  [
    'all failing pipes, not only the last',
    {
      ...done,
      commands: [
        {
          command: 'a | b; c | d',
          exit: 0,
          pipe: [3, 0],
          pipes: [
            [2, 0],
            [3, 0],
          ],
        },
      ],
    },
    ['ran: a | b; c | d -> 0, in the pipes 2 0 and 3 0'],
  ],
  [
    'many files',
    { ...done, read: Array.from({ length: 45 }, (_, i) => `f${i}`) },
    [expect.stringMatching(/^read: f0, f1, .*f39 and 5 more$/)],
  ],
])('receipts list %s', (_, receipts, lines) => {
  expect(formatReceipts(receipts)).toEqual(lines)
})
