// Listing: every mailbox of a message, and who holds it.
import { expect, test } from 'vitest'
import { shelf } from '../../../support/store.ts'

const place = shelf()

test('lists a broadcast once for each of its mailboxes', () => {
  const { mail } = place.store
  mail.join('s', 'w')
  const { id } = mail.send({ scope: 's', from: 'a', to: 'broadcast', type: 'broadcast', body: 'x' })
  mail.receive({ scope: 's', recipient: 'w', owner: 'me', limit: 1, peek: false, leaseMs: 5 })
  expect(mail.list({ scope: 's' })).toMatchObject([
    {
      recipient: 'broadcast',
      state: 'queued',
      leaseOwner: null,
      message: { id, to: 'broadcast', attempts: 0 },
    },
    { recipient: 'w', state: 'leased', leaseOwner: 'me', leaseUntil: place.clock.now + 5, message: { id } },
  ])
})
