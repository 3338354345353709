// Queries for receiving: each uses an index, for any contents of the mailboxes.
import { describe, expect, test } from 'vitest'
import type { OutgoingMessage } from '../../../../internal/store/store.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()

test.each([
  [
    'heads of senders',
    "SELECT min(sender) FROM delivery WHERE scope = ?1 AND recipient = ?2 AND state IN ('queued', 'leased')",
    'delivery_next',
  ],
  [
    'one sender',
    "SELECT n FROM delivery WHERE scope = ?1 AND recipient = ?2 AND state IN ('queued', " +
      "'leased') AND sender = ?3 ORDER BY n",
    'delivery_next',
  ],
  [
    'leases that are over',
    "UPDATE delivery SET attempts = 1 WHERE state = 'leased' AND lease_until <= ?1",
    'delivery_lease',
  ],
  [
    'what has expired',
    "UPDATE delivery SET attempts = 1 WHERE state IN ('queued', 'leased') AND expires <= ?1",
    'delivery_expiry',
  ],
  [
    'what is finished',
    "SELECT message FROM delivery WHERE state IN ('acked', 'dead') AND state = ?1 AND changed < ?2 LIMIT 200",
    'delivery_done',
  ],
])('the query for %s uses an index', (_, sql, index) => {
  const plan = place.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).map((row) => row.detail)
  expect(plan.join('\n')).toMatch(new RegExp(`SEARCH delivery USING (COVERING )?INDEX ${index} `))
  expect(plan.join('\n')).not.toContain('TEMP B-TREE')
})

test('repeated queries of an empty mailbox write nothing', () => {
  const ask = () =>
    place.store.mail.receive({ scope: 's', recipient: 'r', owner: 'o', limit: 1, peek: false })
  ask()
  const changes = () => place.db.get<{ data_version: number }>('PRAGMA data_version')?.data_version
  const before = changes()
  for (let i = 0; i < 20; i++) ask()
  expect(changes()).toBe(before)
  place.clock.now += 61_000
  ask()
  expect(changes()).not.toBe(before)
})

// States: a mailbox that is written and never read does not grow for ever.

describe('delivery state', () => {
  const place = shelf()

  test('sending alone removes finished messages', () => {
    const { mail } = place.store
    const message: OutgoingMessage = {
      scope: 's',
      from: 'a',
      to: 'b',
      type: 'status',
      body: 'x',
      expiresMs: 1,
    }
    const kept = () => place.db.get<{ n: number }>('SELECT count(*) AS n FROM message')?.n
    for (let i = 0; i < 150; i++) mail.send(message)
    place.clock.now += 10
    mail.list({ scope: 's' })
    place.clock.now += 31 * 86_400_000
    for (let i = 0; i < 150; i++) mail.send({ ...message, expiresMs: 60_000 })
    expect(kept()).toBe(150)
  })
})
