// States: a mailbox that is written and never read does not grow for ever.
import { expect, test } from 'vitest'
import type { OutgoingMessage } from '../../../../internal/store/store.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()

test('sending alone removes finished messages', () => {
  const { mail } = place.store
  const message: OutgoingMessage = { scope: 's', from: 'a', to: 'b', type: 'status', body: 'x', expiresMs: 1 }
  const kept = () => place.db.get<{ n: number }>('SELECT count(*) AS n FROM message')?.n
  for (let i = 0; i < 150; i++) mail.send(message)
  place.clock.now += 10
  mail.list({ scope: 's' })
  place.clock.now += 31 * 86_400_000
  for (let i = 0; i < 150; i++) mail.send({ ...message, expiresMs: 60_000 })
  expect(kept()).toBe(150)
})
