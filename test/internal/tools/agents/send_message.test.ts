// send_message: delivered messages, answers, rejected messages, and the differences in a study.
import { expect, test } from 'vitest'
import { sendMessage } from '../../../../internal/tools/agents/send_message.ts'
import { accessOf, call } from '../../../support/ctx.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()
const scope = () => `${place.dir}/workspace`
const send = (args: Record<string, unknown>, env: Record<string, string> = {}) =>
  call(sendMessage, { recipient: 'aggman', message: 'hello', ...args }, place.ctx({ env }))
const kept = (where = scope()) => place.store.mail.list({ scope: where }).map(({ message }) => message)

test('stores a message with default values, and reports its id and scope', async () => {
  const { text, data } = await send({})
  expect(data).toEqual({
    ok: true,
    id: expect.any(String),
    scope: scope(),
    from: 'anode',
    delivered_to: ['aggman'],
    duplicate: false,
    full: [],
  })
  expect(text).toBe(`sent ${data?.id} to aggman (scope ${scope()})`)
  expect(kept()).toMatchObject([
    { id: data?.id, from: 'anode', to: 'aggman', type: 'status', body: 'hello', meta: {} },
  ])
})

test('stores every parameter, and accepts to instead of recipient', async () => {
  const raw = {
    to: 'worker-b',
    message: 'done',
    type: 'result',
    from: 'worker-a',
    metadata: { n: 1 },
    expires_s: '60',
    scope: 'mine',
  }
  await call(sendMessage, raw, place.ctx())
  expect(kept('mine')).toMatchObject([
    { from: 'worker-a', to: 'worker-b', type: 'result', body: 'done', meta: { n: 1 }, scope: 'mine' },
  ])
  expect(kept('mine')[0]?.expires).toBe(place.clock.now + 60_000)
})

test('stores equal messages twice, unless they have the same dedupe key', async () => {
  await send({})
  await send({})
  expect(kept()).toHaveLength(2)
  const first = await send({ dedupe_key: 'k' })
  const second = await send({ dedupe_key: 'k' })
  expect(second.data).toMatchObject({ ok: true, id: first.data?.id, duplicate: true, delivered_to: [] })
  expect(second.text).toContain('not sent again')
  expect(kept()).toHaveLength(3)
})

test('a broadcast to the common mailbox is for everyone', async () => {
  const { text, data } = await send({ recipient: 'broadcast', type: 'broadcast' })
  expect(data?.delivered_to).toEqual(['broadcast'])
  expect(text).toMatch(/^sent \S+ to everybody \(scope/)
})

test('a broadcast lists the mailboxes that it reached', async () => {
  place.store.mail.join(scope(), 'w1')
  const { text, data } = await send({ recipient: 'broadcast', type: 'broadcast' })
  expect(data?.delivered_to).toEqual(['w1', 'broadcast'])
  expect(text).toContain('to 2 mailboxes: w1, broadcast')
})

test.each<[string, Record<string, unknown>, string]>([
  ['a long body', { message: 'x'.repeat(65_537) }, 'too_large'],
  ['aggman as sender', { from: 'aggman' }, 'sender_read_only'],
])('rejects %s', async (_, args, code) => {
  expect((await send(args)).failed?.code).toBe(code)
  expect(kept()).toEqual([])
})

test.each<[string, Record<string, unknown>, string]>([
  ['an unknown type', { type: 'shout' }, 'status, question, result, error, broadcast'],
  ['an empty message', { message: '' }, 'message must have at least 1 character'],
  ['an empty recipient', { recipient: '' }, 'recipient must have at least 1 character'],
  ['metadata that is no object', { metadata: 'x' }, 'metadata must be'],
])('%s is refused in words', async (_, args, words) => {
  await expect(send(args)).rejects.toThrow(words)
})

test('inside a study, drops equal messages for ten minutes and sets the real sender', async () => {
  const env = { ANODE_MAILBOX_SCOPE: 'study:01JD', ANODE_MAILBOX_NAME: 'worker-1' }
  const first = await send({ from: 'somebody' }, env)
  expect(first.data).toMatchObject({ from: 'worker-1', from_overridden: 'somebody', scope: 'study:01JD' })
  expect((await send({}, env)).data).toMatchObject({ duplicate: true, id: first.data?.id })
  expect((await send({ type: 'result' }, env)).data?.duplicate).toBe(false)
  place.clock.now += 600_000
  expect((await send({}, env)).data?.duplicate).toBe(false)
})

test('a message to a recipient that has ended fails, and is stored as dead', async () => {
  place.store.mail.join(scope(), 'w1')
  place.store.mail.leave(scope(), 'w1')
  const { failed, data } = await send({ recipient: 'w1' })
  expect(failed?.code).toBe('dead_recipient')
  expect(data).toMatchObject({ ok: false, delivered_to: [] })
  expect(place.store.mail.list({ scope: scope() })).toMatchObject([
    { state: 'dead', reason: 'dead_recipient' },
  ])
})

test('an agent needs approval for mailboxes of others; a script of the user does not', () => {
  const args = sendMessage.input.parse({ ...sendMessage.example, scope: '/other' })
  const own = { ...args, scope: `${place.dir}/workspace` }
  expect(accessOf(sendMessage, args, place.ctx({ thread: 't' })).level).toBe('confirm_execute')
  expect(accessOf(sendMessage, args, place.ctx({ env: { ANODE_MAILBOX_SCOPE: 'study:x' } })).level).toBe(
    'confirm_execute',
  )
  expect(accessOf(sendMessage, own, place.ctx({ thread: 't' })).level).toBe('state_write')
  expect(accessOf(sendMessage, args, place.ctx()).level).toBe('state_write')
})
