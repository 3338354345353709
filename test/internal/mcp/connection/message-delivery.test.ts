// The order of messages that arrive together: a client that handles notifications late sees them
// before the response.
import { setImmediate as turn } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { createDelivery } from '../../../../internal/mcp/connection/message-delivery.ts'
import { random } from '../../../support/search.ts'

const notification = (n: number) => ({ jsonrpc: '2.0', method: 'told', params: { n } }) as JSONRPCMessage
const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} }) as JSONRPCMessage
const asked = (id: number) => ({ jsonrpc: '2.0', id, method: 'ask' }) as JSONRPCMessage
const nameOf = (message: JSONRPCMessage) => JSON.stringify(message)

/** Handles responses at once and notifications a moment later, as the client does. */
function client() {
  const seen: string[] = []
  const delivery = createDelivery((message) => {
    if ('method' in message && !('id' in message))
      void Promise.resolve().then(() => seen.push(nameOf(message)))
    else seen.push(nameOf(message))
  })
  return { seen, delivery }
}

test('delivers random bursts in their order', async () => {
  const next = random(3)
  for (let round = 0; round < 200; round++) {
    const { seen, delivery } = client()
    const sent: string[] = []
    for (let i = 0, count = 1 + Math.floor(next() * 12); i < count; i++) {
      const message = next() < 0.5 ? notification(i) : next() < 0.7 ? answer(i) : asked(i)
      sent.push(nameOf(message))
      delivery.take(message)
      if (next() < 0.2) await turn()
    }
    for (let i = 0; i < 30 && seen.length < sent.length; i++) await turn()
    const replies = (list: string[]) => list.filter((one) => one.includes('result'))
    expect([...seen].sort()).toEqual([...sent].sort())
    expect(replies(seen)).toEqual(replies(sent))
    // no notification before a response is seen after it
    for (const [at, one] of sent.entries()) {
      if (!one.includes('result')) continue
      const before = sent.slice(0, at).filter((other) => other.includes('"told"'))
      for (const other of before) expect(seen.indexOf(other)).toBeLessThan(seen.indexOf(one))
    }
  }
})

test('a waiting response is not lost with the connection, and a single response does not wait', () => {
  const { seen, delivery } = client()
  delivery.take(answer(1))
  expect(seen).toEqual([nameOf(answer(1))])
  delivery.take(notification(1))
  delivery.take(answer(2))
  delivery.flush()
  expect(seen).toContain(nameOf(answer(2)))
})
