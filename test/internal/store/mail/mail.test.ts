// Mail beyond what every mailbox does: a store that is open for reading, and batches.
import { expect, test } from 'vitest'
import { openStore } from '../../../../internal/store/sqlite.ts'
import type { OutgoingMessage } from '../../../../internal/store/store.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()

test('can be looked at, not taken', async () => {
  place.store.mail.send({ scope: 's', from: 'a', to: 'b', type: 'status', body: 'x' })
  const { mail, close } = await openStore(place.dir, { readOnly: true, now: () => place.clock.now })
  const query = { scope: 's', recipient: 'b', owner: 'o', limit: 1 }
  try {
    expect(mail.receive({ ...query, peek: true })).toHaveLength(1)
    expect(mail.list({ scope: 's' })).toHaveLength(1)
    expect(mail.waiting('s', 'b').queued).toBe(1)
    expect(() => mail.receive({ ...query, peek: false })).toThrow(/written/)
  } finally {
    close()
  }
})

test('a batch is kept whole or not at all', () => {
  const { mail } = place.store
  const write = (from: string, body: string) =>
    ({ scope: 's', from, to: 'b', type: 'status', body }) satisfies OutgoingMessage
  expect(() => mail.sendAll([write('a', '1'), write('aggman', '2'), write('a', '3')])).toThrow(/aggman/)
  expect(mail.list({ scope: 's' })).toEqual([])
  expect(mail.sendAll([write('a', '1'), write('a', '2')])).toHaveLength(2)
  const query = { scope: 's', recipient: 'b', owner: 'o', limit: 9, peek: false }
  expect(mail.receive(query).map(({ body }) => body)).toEqual(['1', '2'])
})
