// Sending: the count of waiting messages stays true in every state that a message goes through.
import { expect, test } from 'vitest'
import type { OutgoingMessage } from '../../../../internal/store/store.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()
const message: OutgoingMessage = { scope: 's', from: 'a', to: 'b', type: 'status', body: 'x' }

test('the waiting counter of a mailbox equals the number of its waiting messages', () => {
  const { mail } = place.store
  const count = () => ({
    kept: place.db.get<{ n: number }>("SELECT waiting AS n FROM mailbox WHERE name = 'b'")?.n,
    real: place.db.get<{ n: number }>(
      "SELECT count(*) AS n FROM delivery WHERE recipient = 'b' AND state IN ('queued', 'leased')",
    )?.n,
  })
  const seen: (number | undefined)[] = []
  const check = () => {
    const { kept, real } = count()
    expect(kept).toBe(real)
    seen.push(kept)
  }
  for (const one of [message, message, message, { ...message, expiresMs: 1 }]) mail.send(one)
  check()
  const taken = mail.receive({ scope: 's', recipient: 'b', owner: 'o', limit: 2, peek: false })
  check()
  mail.acknowledge('b', [taken[0]?.id as string, taken[0]?.id as string])
  mail.acknowledge('b', [taken[0]?.id as string])
  check()
  mail.release('b', [taken[1]?.id as string])
  check()
  place.clock.now += 10
  mail.list({ scope: 's' })
  check()
  place.db.write(() => place.db.run('DELETE FROM message WHERE id = ?', taken[1]?.id as string))
  check()
  expect(seen).toEqual([4, 4, 3, 3, 2, 1])
})
