// The contract for every Mailbox in any storage: states, order, limits, broadcast, duplicates.
import { describe, expect, test } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import type { Mailbox } from '../../../../internal/store/mail/mailbox.ts'
import type { MailMessage, OutgoingMessage } from '../../../../internal/store/store.ts'

const minute = 60_000
const day = 86_400_000

/** Mailboxes for one test. `scope` is the scope of an empty study, and so are `other` and `elsewhere`. */
export interface MailPlace {
  box: Mailbox
  scope: string
  other: string
  clock: { now: number }
  /** Returns a second handle on the same mailboxes, as another process would have. */
  again(): Promise<Mailbox>
}

export function mailboxContract(at: () => MailPlace): void {
  const write = (over: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
    scope: at().scope,
    from: 'w1',
    to: 'aggman',
    type: 'status',
    body: 'hello',
    ...over,
  })
  const send = (over: Partial<OutgoingMessage> = {}) => at().box.send(write(over))
  const take = (
    over: { owner?: string; recipient?: string; limit?: number; peek?: boolean; scope?: string } = {},
  ) =>
    at().box.receive({
      scope: at().scope,
      recipient: 'aggman',
      owner: 'me',
      limit: 100,
      peek: false,
      ...over,
    })
  const acknowledge = (recipient: string, ids: string[], step?: string) =>
    at().box.acknowledge(at().scope, recipient, ids, step)
  const bodies = (messages: MailMessage[]) => messages.map((message) => message.body)
  const ids = (messages: MailMessage[]) => messages.map((message) => message.id)
  const states = async () =>
    (await at().box.list({ scope: at().scope })).map((delivery) => [delivery.state, delivery.reason])
  const failureOf = async (posted: Promise<unknown>) => {
    const error = await posted.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error instanceof FailureError) return error.failure.code
    throw new Error(`no failure but ${error}`)
  }
  const all = async (messages: OutgoingMessage[]) =>
    Promise.all(messages.map((message) => at().box.send(message)))

  describe('mail', () => {
    test('delivers a message unchanged', async () => {
      const body = 'nul \0 emoji 😀 \n\t"q" \\ end'
      const posted = await send({ body, meta: { n: 1, deep: { a: [true, null] } }, type: 'result' })
      expect(posted).toEqual({
        id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        deliveredTo: ['aggman'],
        duplicate: false,
        dead: [],
        full: [],
      })
      const [message] = await (await at().again()).receive({
        scope: at().scope,
        recipient: 'aggman',
        owner: 'o',
        limit: 1,
        peek: false,
      })
      expect(message).toEqual({
        id: posted.id,
        scope: at().scope,
        from: 'w1',
        to: 'aggman',
        type: 'result',
        body,
        meta: { n: 1, deep: { a: [true, null] } },
        created: at().clock.now,
        expires: at().clock.now + 7 * day,
        attempts: 1,
      })
    })

    test('a lease hides a message until the lease ends, an acknowledgement hides it permanently', async () => {
      await send({ body: 'a' })
      await send({ body: 'b' })
      const [a] = await take({ limit: 1 })
      expect(bodies(await take())).toEqual(['b'])
      expect(await take()).toEqual([])
      expect(await at().box.waiting(at().scope, 'aggman')).toEqual({ queued: 0, leased: 2 })
      await acknowledge('aggman', [a?.id as string], 'step 1')
      at().clock.now += minute
      expect(await at().box.waiting(at().scope, 'aggman')).toEqual({ queued: 1, leased: 0 })
      const again = await take()
      expect(again).toMatchObject([{ body: 'b', attempts: 2 }])
      await acknowledge('aggman', ids(again))
      at().clock.now += minute
      expect(await take()).toEqual([])
      expect(await states()).toEqual([
        ['acked', null],
        ['acked', null],
      ])
    })

    test('a late acknowledgement counts, but only in its mailbox', async () => {
      await send()
      const [message] = await take()
      await acknowledge('somebody', [message?.id as string])
      at().clock.now += 5 * minute
      await acknowledge('aggman', [message?.id as string, 'unknown'])
      expect(await take()).toEqual([])
      expect(await states()).toEqual([['acked', null]])
    })

    test('a released message is available at once and the attempt does not count', async () => {
      await send()
      const [message] = await take({ owner: 'a' })
      at().box.release(at().scope, 'aggman', [message?.id as string])
      expect(await take({ owner: 'b' })).toMatchObject([{ id: message?.id, attempts: 1 }])
    })

    test('after five attempts a message is set aside and listed as dead', async () => {
      await send({ body: 'poison' })
      for (let n = 1; n <= 5; n++) {
        expect(await take()).toMatchObject([{ attempts: n }])
        at().clock.now += minute
      }
      expect(await take({ peek: true })).toEqual([])
      expect(await take()).toEqual([])
      expect(await states()).toEqual([['dead', 'attempts']])
    })

    test('an unread message dies after seven days or after its own limit', async () => {
      await send({ body: 'soon', expiresMs: 1000 })
      await send({ body: 'later' })
      at().clock.now += 1000
      expect(bodies(await take({ peek: true }))).toEqual(['later'])
      at().clock.now += 7 * day
      expect(await take()).toEqual([])
      expect(await states()).toEqual([
        ['dead', 'expired'],
        ['dead', 'expired'],
      ])
    })

    test('removes finished messages in time: read ones after 7 days, dead ones after 30', async () => {
      await send({ body: 'read' })
      await acknowledge('aggman', ids(await take()))
      await send({ body: 'dead', expiresMs: 1 })
      at().clock.now += 10
      expect(await states()).toEqual([
        ['acked', null],
        ['dead', 'expired'],
      ])
      const tick = async () => {
        await send()
        await acknowledge('aggman', ids(await take()))
      }
      at().clock.now += 7 * day + 1
      await tick()
      expect(await states()).toEqual([
        ['dead', 'expired'],
        ['acked', null],
      ])
      at().clock.now += 24 * day
      await tick()
      expect(await states()).toEqual([['acked', null]])
    })

    test('a peek neither leases nor counts', async () => {
      await send()
      expect(await take({ peek: true })).toMatchObject([{ attempts: 0 }])
      expect(await take({ peek: true })).toHaveLength(1)
      expect(await take()).toMatchObject([{ attempts: 1 }])
      expect(await take({ peek: true, owner: 'other' })).toEqual([])
    })

    test('sorts urgent messages first across senders, and keeps the order of one sender', async () => {
      await send({ from: 'a', type: 'status', body: 'a status' })
      await send({ from: 'a', type: 'error', body: 'a error' })
      await send({ from: 'b', type: 'broadcast', body: 'b broadcast' })
      await send({ from: 'c', type: 'result', body: 'c result' })
      await send({ from: 'd', type: 'question', body: 'd question' })
      await send({ from: 'e', type: 'error', body: 'e error' })
      await send({ from: 'f', type: 'status', body: 'f status' })
      expect(bodies(await take())).toEqual([
        'e error',
        'd question',
        'c result',
        'a status',
        'a error',
        'f status',
        'b broadcast',
      ])
    })

    test('a clock that goes back does not change the order', async () => {
      for (const body of ['1', '2', '3']) {
        await send({ body })
        at().clock.now -= 5000
      }
      expect(bodies(await take())).toEqual(['1', '2', '3'])
    })

    test('later messages of a sender wait while another reader has a lease on an earlier one', async () => {
      for (const body of ['1', '2']) await send({ body })
      await send({ from: 'w2', body: 'other' })
      const [first] = await take({ owner: 'a', limit: 1 })
      expect(bodies(await take({ owner: 'b' }))).toEqual(['other'])
      await acknowledge('aggman', [first?.id as string])
      expect(bodies(await take({ owner: 'b' }))).toEqual(['2'])
    })

    test('separates scopes and names', async () => {
      await send()
      expect(await take({ scope: at().other })).toEqual([])
      expect(await take({ recipient: 'Aggman' })).toEqual([])
      expect(await take()).toHaveLength(1)
    })

    test('a limit in bytes stops before it is exceeded, but returns at least one message', async () => {
      for (const body of ['x'.repeat(1000), 'y'.repeat(1000), 'z']) await send({ body })
      const some = (maxBytes: number) =>
        at().box.receive({
          scope: at().scope,
          recipient: 'aggman',
          owner: 'o',
          limit: 9,
          peek: true,
          maxBytes,
        })
      expect(await some(10)).toHaveLength(1)
      expect(await some(1500)).toHaveLength(1)
      expect(await some(2500)).toHaveLength(3)
    })

    test('a key makes a second message a duplicate, per recipient and for a limited time', async () => {
      const first = await send({ dedupeKey: 'k' })
      expect(await send({ dedupeKey: 'k', body: 'changed' })).toEqual({
        id: first.id,
        deliveredTo: [],
        duplicate: true,
        dead: [],
        full: [],
      })
      expect((await send({ dedupeKey: 'k', to: 'other' })).duplicate).toBe(false)
      expect((await send({ dedupeKey: 'k', scope: at().other })).duplicate).toBe(false)
      expect((await send()).duplicate).toBe(false)
      expect((await send()).duplicate).toBe(false)
      const timed = await send({ dedupeKey: 't', dedupeMs: 1000 })
      expect(await send({ dedupeKey: 't', dedupeMs: 1000 })).toMatchObject({ duplicate: true, id: timed.id })
      at().clock.now += 1000
      expect((await send({ dedupeKey: 't', dedupeMs: 1000 })).duplicate).toBe(false)
      await acknowledge('aggman', ids(await take()))
      expect((await send({ dedupeKey: 'k' })).duplicate).toBe(true)
    })

    test.each<[string, Partial<OutgoingMessage>, string]>([
      ['a body of more than 64 KiB', { body: 'é'.repeat(32_769) }, 'too_large'],
      ['metadata that does not fit', { body: 'x', meta: { x: 'y'.repeat(65_536) } }, 'too_large'],
      ['the sender aggman', { from: 'aggman', to: 'w1' }, 'sender_read_only'],
    ])('rejects %s', async (_, over, code) => {
      expect(await failureOf(send(over))).toBe(code)
      expect(await states()).toEqual([])
    })

    test('accepts a body of 64 KiB', async () => {
      await send({ body: 'é'.repeat(32_768) })
      expect((await take())[0]?.body).toHaveLength(32_768)
    })

    test('a mailbox is full at 10,000 until a message is read or expires, and a broadcast skips it', async () => {
      for (const name of ['w2', 'w3']) await at().box.join(at().scope, name)
      const to = 'w2'
      await all(
        Array.from({ length: 9_999 }, (_, i) => write({ to, body: `${i}`, expiresMs: i === 0 ? 1 : day })),
      )
      await send({ to })
      expect(await failureOf(send({ to }))).toBe('mailbox_full')
      expect(await send({ to: 'broadcast' })).toMatchObject({
        deliveredTo: ['w3', 'broadcast'],
        full: ['w2'],
      })
      expect((await send({ to: 'other' })).deliveredTo).toEqual(['other'])
      at().clock.now += 1
      await send({ to, body: 'into the place of the expired one' })
      expect(await failureOf(send({ to }))).toBe('mailbox_full')
      await acknowledge(to, ids(await take({ recipient: to, limit: 1 })))
      expect((await send({ to })).deliveredTo).toEqual([to])
    })

    test('posts of one tick keep their order and are answered one by one', async () => {
      const answers = await Promise.allSettled(
        Array.from({ length: 50 }, (_, i) =>
          at().box.send(write({ body: `${i}`, from: i === 7 ? 'aggman' : 'w' })),
        ),
      )
      expect(answers.filter((answer) => answer.status === 'rejected')).toHaveLength(1)
      expect(answers[7]).toMatchObject({ reason: { failure: { code: 'sender_read_only' } } })
      expect(bodies(await take()).join(' ')).toBe(
        Array.from({ length: 50 }, (_, i) => `${i}`)
          .filter((i) => i !== '7')
          .join(' '),
      )
    })
  })

  describe('broadcast', () => {
    test(
      'reaches who has read or joined lately, but not the sender, and the mailbox of ' + 'that name',
      async () => {
        await take({ recipient: 'old' })
        at().clock.now += day
        await take({ recipient: 'w1' })
        await take({ recipient: 'w2' })
        await take({ recipient: 'stranger', scope: at().other })
        await at().box.join(at().scope, 'w3')
        const posted = await send({ to: 'broadcast', type: 'broadcast' })
        expect(posted.deliveredTo).toEqual(['w2', 'w3', 'broadcast'])
        for (const recipient of posted.deliveredTo)
          expect(await take({ recipient })).toMatchObject([{ id: posted.id, to: 'broadcast' }])
        await acknowledge('w2', [posted.id])
        at().clock.now += minute
        expect(await take({ recipient: 'w2' })).toEqual([])
        expect(await take({ recipient: 'w3' })).toHaveLength(1)
      },
    )

    test('a message to an ended recipient is stored as dead', async () => {
      await at().box.join(at().scope, 'w2')
      await at().box.leave(at().scope, 'w2')
      expect((await send({ to: 'broadcast' })).deliveredTo).toEqual(['broadcast'])
      expect(await send({ to: 'w2' })).toMatchObject({ deliveredTo: [], dead: ['w2'] })
      expect(await at().box.list({ scope: at().scope, recipient: 'w2' })).toMatchObject([
        { state: 'dead', reason: 'dead_recipient', message: { body: 'hello' } },
      ])
      await at().box.join(at().scope, 'w2')
      expect((await send({ to: 'w2' })).deliveredTo).toEqual(['w2'])
    })

    test('filters a list by recipient, states and number', async () => {
      for (const to of ['a', 'b', 'b']) await send({ to })
      await acknowledge('b', ids(await take({ recipient: 'b', limit: 1 })))
      const count = (query: { recipient?: string; states?: ('queued' | 'acked')[]; limit?: number }) =>
        at()
          .box.list({ scope: at().scope, ...query })
          .then((list) => list.length)
      expect(
        await Promise.all([
          count({}),
          count({ recipient: 'b' }),
          count({ states: ['queued'] }),
          count({ limit: 1 }),
        ]),
      ).toEqual([3, 2, 2, 1])
      expect(await at().box.list({ scope: at().other })).toEqual([])
    })
  })
}
