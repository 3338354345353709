// Mail beyond what every mailbox does: a store that is open for reading.
import { expect, test } from 'vitest'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()

test('a read-only store shows messages but cannot receive them', async () => {
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
