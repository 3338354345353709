// Blocks of a conversation as lines to be read aloud.
import { expect, test } from 'vitest'
import { pastLinesOf } from '../../../../internal/tui/run-view/plain-look.ts'

test('a run that failed says why, and below it what can be done', () => {
  const failed = { kind: 'end', id: 'e', end: 'failed', reason: 'auth', message: '401 wrong key' } as const
  expect(pastLinesOf(failed, 80)).toEqual(['failed: 401 wrong key', expect.stringContaining('/model')])
  expect(pastLinesOf({ kind: 'end', id: 'e', end: 'done', ms: 1_000 }, 80)).toEqual(['done 1.0 s'])
})
