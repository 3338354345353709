// Rows of messages: JSON columns become values.
import { expect, test } from 'vitest'
import { readMessage } from '../../../../internal/store/mail/row.ts'

test('converts a database row to a message', () => {
  const row = {
    id: 'm',
    scope: 's',
    sender: 'a',
    recipient: 'b',
    type: 'status' as const,
    body: '"a\\u0000b"',
    meta: '{"n":1}',
    created: 1,
    expires: 2,
  }
  expect(readMessage(row, 3)).toEqual({
    id: 'm',
    scope: 's',
    from: 'a',
    to: 'b',
    type: 'status',
    body: 'a\0b',
    meta: { n: 1 },
    created: 1,
    expires: 2,
    attempts: 3,
  })
})
