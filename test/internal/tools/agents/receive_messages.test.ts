// receive_messages: leases until settled, peeks, waits, and never more than a reader can take.
import { expect, test } from 'vitest'
import type { OutgoingMessage } from '../../../../internal/store/store.ts'
import { createCatalog } from '../../../../internal/tool/catalog.ts'
import { toToolDescription } from '../../../../internal/tool/describe.ts'
import { invoke } from '../../../../internal/tool/invoke.ts'
import { receiveMessages } from '../../../../internal/tools/agents/receive_messages.ts'
import { accessOf, call } from '../../../support/ctx.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()
const scope = () => `${place.dir}/workspace`
const send = (over: Partial<OutgoingMessage> = {}) =>
  place.store.mail.send({ scope: scope(), from: 'w1', to: 'aggman', type: 'status', body: 'hello', ...over })
const receive = (args: Record<string, unknown> = {}, over = {}) =>
  call(receiveMessages, { recipient: 'aggman', ...args }, place.ctx(over))
const states = () => place.store.mail.list({ scope: scope() }).map((delivery) => delivery.state)

test('leases messages, and acknowledges them only when the result has arrived', async () => {
  const { id } = send({ type: 'result', meta: { n: 1 } })
  const result = await receive()
  expect(result.data).toEqual({
    recipient: 'aggman',
    scope: scope(),
    peek: false,
    messages: [
      {
        id,
        from: 'w1',
        recipient: 'aggman',
        type: 'result',
        message: 'hello',
        metadata: { n: 1 },
        created: '2023-11-14T22:13:20.000Z',
        attempts: 1,
      },
    ],
    left: { queued: 0, leased: 0 },
  })
  expect(result.text).toBe(
    `1 message for aggman (scope ${scope()})\n\n--- result from w1, 2023-11-14T22:13:20.000Z, id ${id}\nhello\nmetadata {"n":1}`,
  )
  expect(states()).toEqual(['leased'])
  await result.settle?.()
  expect(states()).toEqual(['acked'])
})

test('the next reader gets a message if its reader dies before the result has arrived', async () => {
  send()
  await receive()
  expect((await receive({}, { thread: 'other' })).text).toContain('1 are being read by another reader')
  place.clock.now += 60_000
  const again = await receive()
  expect(again.data?.messages).toMatchObject([{ attempts: 2 }])
  expect(again.text).toContain('handed out 2 times')
})

test('an empty mailbox is a success', async () => {
  const result = await receive()
  expect(result.failed).toBeUndefined()
  expect(result.settle).toBeUndefined()
  expect(result.data?.messages).toEqual([])
  expect(result.text).toBe(`No messages for aggman (scope ${scope()})`)
})

test('a peek takes no message and acknowledges none', async () => {
  send()
  send()
  const result = await receive({ peek: 'true', limit: 1 })
  expect(result.settle).toBeUndefined()
  expect(result.text).toContain('1 message for aggman')
  expect(result.text).toContain('left where they are')
  expect(result.text).toContain('… 1 more wait')
  expect(states()).toEqual(['queued', 'queued'])
})

test('a result contains as many messages as fit; the rest stays queued', async () => {
  for (let i = 0; i < 10; i++) send({ body: `${i}${'x'.repeat(20_000)}` })
  const first = await receive()
  expect(first.data?.messages).toHaveLength(2)
  expect(first.data?.left).toEqual({ queued: 8, leased: 0 })
  expect(first.text).toContain('8 more wait; receive again')
  send({ body: 'y'.repeat(65_536), from: 'w2', type: 'error' })
  const large = await receive({ limit: 1 })
  expect(large.text).toContain('y'.repeat(65_536))
  expect(large.text.length).toBeLessThan(receiveMessages.clip?.chars as number)
})

test.each([4_000, 60_000])('with room for %i characters each message arrives whole', async (resultRoom) => {
  const bodies = ['a', 'b', 'c'].map((letter) => letter.repeat(64 * 1024 - 10))
  for (const body of bodies) send({ body })
  const entry = { ...toToolDescription(receiveMessages, 'native'), load: async () => receiveMessages }
  const catalog = createCatalog([{ ...entry, hidden: undefined }])
  for (const body of bodies) {
    const log = { append: async () => undefined, keep: async () => 'hash' }
    const ctx = { ...place.ctx(), agent: { resultRoom }, log }
    const result = await invoke(catalog, ctx, { name: 'receive_messages', args: { recipient: 'aggman' } })
    expect(result.text.includes(body)).toBe(true)
    expect(result.truncated).toBeUndefined()
    await result.settle?.()
  }
  expect(states()).toEqual(['acked', 'acked', 'acked'])
})

test('a wait ends with the first message', async () => {
  const waiting = receive({ wait_ms: 20_000 })
  setTimeout(() => send({ body: 'late' }), 60)
  expect((await waiting).data?.messages).toMatchObject([{ message: 'late' }])
})

test('a wait ends at its time limit', async () => {
  expect((await receive({ wait_ms: 30 })).data?.messages).toEqual([])
})

test('a wait ends when the call is cancelled', async () => {
  const abort = new AbortController()
  const waiting = receive({ wait_ms: 30_000 }, { signal: abort.signal })
  setTimeout(() => abort.abort(), 20)
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
})

test('a scope does not show messages of other scopes', async () => {
  send()
  expect((await receive({ scope: 'other' })).data?.messages).toEqual([])
  expect((await receive({}, { env: { ANODE_MAILBOX_SCOPE: 'third' } })).data).toMatchObject({
    scope: 'third',
    messages: [],
  })
  expect((await receive()).data?.messages).toHaveLength(1)
})

test('an agent needs approval for mailboxes of others; a script of the user does not', () => {
  const args = receiveMessages.input.parse({ ...receiveMessages.example, scope: '/other' })
  const own = { ...args, scope: `${place.dir}/workspace` }
  expect(accessOf(receiveMessages, args, place.ctx({ thread: 't' })).level).toBe('confirm_execute')
  expect(accessOf(receiveMessages, args, place.ctx({ env: { ANODE_MAILBOX_SCOPE: 'study:x' } })).level).toBe(
    'confirm_execute',
  )
  expect(accessOf(receiveMessages, own, place.ctx({ thread: 't' })).level).toBe('auto_read')
  expect(accessOf(receiveMessages, args, place.ctx()).level).toBe('auto_read')
})
