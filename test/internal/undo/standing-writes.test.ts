// Writes that are still in effect after undos of every kind.
import { expect, test } from 'vitest'
import { standingWrites } from '../../../internal/undo/standing-writes.ts'
import type { RecordedWrite } from '../../../internal/undo/undo-plan.ts'

/**
 * Returns a write from its notation. `0>1`: it found 0 and left 1, `-` is a missing file, and a leading `u`
 * marks an undo.
 */
function write(text: string, pos: number): RecordedWrite {
  const [before = '', after = ''] = text.replace('u', '').split('>')
  return {
    ...{ call: `call_${pos}`, tool: text.startsWith('u') ? 'undo' : 'edit_file', path: '/w/a', pos },
    before: before === '-' ? null : { hash: before, mode: 0o644 },
    after: after === '-' ? null : after,
  }
}

test.each([
  ['nothing', '', ''],
  ['no undo', '->0 0>1', '->0 0>1'],
  ['one undone', '->0 0>1 u1>0', '->0'],
  ['all undone, one by one', '->0 0>1 u1>0 u0>-', ''],
  ['several at once', '->0 0>1 1>2 u2>0', '->0'],
  ['written again after an undo', '0>1 u1>0 0>2', '0>2'],
  ['there and back again: only the last goes', '0>1 1>0 0>1 u1>0', '0>1 1>0'],
  ['an undo that fits nothing', '0>1 u5>6', '0>1'],
])('%s', (_, given, left) => {
  const texts = given.split(' ').filter((text) => text !== '')
  const standing = standingWrites(texts.map(write))
  expect(standing.map(({ before, after }) => `${before?.hash ?? '-'}>${after ?? '-'}`).join(' ')).toBe(left)
})
