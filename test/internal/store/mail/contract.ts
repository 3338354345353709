// The part of the contract about mailboxes: states, order, limits, broadcast, duplicates.
import { describe, expect, test } from 'vitest'
import type { Message, Outgoing, Store } from '../../../../internal/store/store.ts'
import type { Place } from '../contract.ts'
import { failureOf } from '../task/contract.ts'

const minute = 60_000
const day = 86_400_000

export function mailContract(place: Place): void {
  const write = (over: Partial<Outgoing> = {}): Outgoing => ({
    scope: 's',
    from: 'w1',
    to: 'aggman',
    type: 'status',
    body: 'hello',
    ...over,
  })
  const send = (over: Partial<Outgoing> = {}) => place.store.mail.send(write(over))
  const take = (
    over: { owner?: string; recipient?: string; limit?: number; peek?: boolean; scope?: string } = {},
  ) =>
    place.store.mail.receive({
      scope: 's',
      recipient: 'aggman',
      owner: 'me',
      limit: 100,
      peek: false,
      ...over,
    })
  const bodies = (messages: Message[]) => messages.map((message) => message.body)
  const states = (store: Store = place.store) =>
    store.mail.list({ scope: 's' }).map((delivery) => [delivery.state, delivery.reason])

  describe('mail', () => {
    test('a message arrives whole', async () => {
      const body = 'nul \0 emoji 😀 \n\t"q" \\ end'
      const posted = send({ body, meta: { n: 1, deep: { a: [true, null] } }, type: 'result' })
      expect(posted).toEqual({
        id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        deliveredTo: ['aggman'],
        duplicate: false,
        dead: [],
        full: [],
      })
      const [message] = (await place.again()).mail.receive({
        scope: 's',
        recipient: 'aggman',
        owner: 'o',
        limit: 1,
        peek: false,
      })
      expect(message).toEqual({
        id: posted.id,
        scope: 's',
        from: 'w1',
        to: 'aggman',
        type: 'result',
        body,
        meta: { n: 1, deep: { a: [true, null] } },
        created: place.clock.now,
        expires: place.clock.now + 7 * day,
        attempts: 1,
      })
    })

    test('a lease hides a message until it ends, an acknowledgement for good', () => {
      const { mail } = place.store
      send({ body: 'a' })
      send({ body: 'b' })
      const [a] = take({ limit: 1 })
      expect(bodies(take())).toEqual(['b'])
      expect(take()).toEqual([])
      expect(mail.waiting('s', 'aggman')).toEqual({ queued: 0, leased: 2 })
      mail.acknowledge('aggman', [a?.id as string], 'step 1')
      place.clock.now += minute
      expect(mail.waiting('s', 'aggman')).toEqual({ queued: 1, leased: 0 })
      const again = take()
      expect(again).toMatchObject([{ body: 'b', attempts: 2 }])
      mail.acknowledge(
        'aggman',
        again.map((m) => m.id),
      )
      place.clock.now += minute
      expect(take()).toEqual([])
      expect(states()).toEqual([
        ['acked', null],
        ['acked', null],
      ])
    })

    test('an acknowledgement counts when it comes late, and only in its own mailbox', () => {
      const { mail } = place.store
      send()
      const [message] = take()
      mail.acknowledge('somebody', [message?.id as string])
      place.clock.now += 5 * minute
      mail.acknowledge('aggman', [message?.id as string, 'unknown'])
      expect(take()).toEqual([])
      expect(states()).toEqual([['acked', null]])
    })

    test('a message that was given back is there at once and the try does not count', () => {
      send()
      const [message] = take({ owner: 'a' })
      place.store.mail.release('aggman', [message?.id as string])
      expect(take({ owner: 'b' })).toMatchObject([{ id: message?.id, attempts: 1 }])
    })

    test('five tries, then it is set aside and seen as dead', () => {
      send({ body: 'poison' })
      for (let n = 1; n <= 5; n++) {
        expect(take()).toMatchObject([{ attempts: n }])
        place.clock.now += minute
      }
      expect(take({ peek: true })).toEqual([])
      expect(take()).toEqual([])
      expect(states()).toEqual([['dead', 'attempts']])
    })

    test('what nobody reads in time dies, after seven days or as told', () => {
      send({ body: 'soon', expiresMs: 1000 })
      send({ body: 'later' })
      place.clock.now += 1000
      expect(bodies(take({ peek: true }))).toEqual(['later'])
      place.clock.now += 7 * day
      expect(take()).toEqual([])
      expect(states()).toEqual([
        ['dead', 'expired'],
        ['dead', 'expired'],
      ])
    })

    test('finished messages are removed in time: read ones after 7 days, dead ones after 30', () => {
      send({ body: 'read' })
      place.store.mail.acknowledge(
        'aggman',
        take().map((m) => m.id),
      )
      send({ body: 'dead', expiresMs: 1 })
      place.clock.now += 10
      expect(states()).toEqual([
        ['acked', null],
        ['dead', 'expired'],
      ])
      const tick = () => {
        send()
        place.store.mail.acknowledge(
          'aggman',
          take().map((m) => m.id),
        )
      }
      place.clock.now += 7 * day + 1
      tick()
      expect(states()).toEqual([
        ['dead', 'expired'],
        ['acked', null],
      ])
      place.clock.now += 24 * day
      tick()
      expect(states()).toEqual([['acked', null]])
    })

    test('a peek neither leases nor counts', () => {
      send()
      expect(take({ peek: true })).toMatchObject([{ attempts: 0 }])
      expect(take({ peek: true })).toHaveLength(1)
      expect(take()).toMatchObject([{ attempts: 1 }])
      expect(take({ peek: true, owner: 'other' })).toEqual([])
    })

    test('across senders the pressing comes first, within one the order of sending holds', () => {
      send({ from: 'a', type: 'status', body: 'a status' })
      send({ from: 'a', type: 'error', body: 'a error' })
      send({ from: 'b', type: 'broadcast', body: 'b broadcast' })
      send({ from: 'c', type: 'result', body: 'c result' })
      send({ from: 'd', type: 'question', body: 'd question' })
      send({ from: 'e', type: 'error', body: 'e error' })
      send({ from: 'f', type: 'status', body: 'f status' })
      expect(bodies(take())).toEqual([
        'e error',
        'd question',
        'c result',
        'a status',
        'a error',
        'f status',
        'b broadcast',
      ])
    })

    test('a clock that goes back does not change the order', () => {
      for (const body of ['1', '2', '3']) {
        send({ body })
        place.clock.now -= 5000
      }
      expect(bodies(take())).toEqual(['1', '2', '3'])
    })

    test('later messages of a sender wait while another reader holds an earlier one', () => {
      const { mail } = place.store
      for (const body of ['1', '2']) send({ body })
      send({ from: 'w2', body: 'other' })
      const [first] = take({ owner: 'a', limit: 1 })
      expect(bodies(take({ owner: 'b' }))).toEqual(['other'])
      mail.acknowledge('aggman', [first?.id as string])
      expect(bodies(take({ owner: 'b' }))).toEqual(['2'])
    })

    test('scopes and names are apart', () => {
      send()
      expect(take({ scope: 'other' })).toEqual([])
      expect(take({ recipient: 'Aggman' })).toEqual([])
      expect(take()).toHaveLength(1)
    })

    test('a limit in bytes stops before it is passed, yet gives at least one', () => {
      for (const body of ['x'.repeat(1000), 'y'.repeat(1000), 'z']) send({ body })
      const some = (maxBytes: number) =>
        place.store.mail.receive({
          scope: 's',
          recipient: 'aggman',
          owner: 'o',
          limit: 9,
          peek: true,
          maxBytes,
        })
      expect(some(10)).toHaveLength(1)
      expect(some(1500)).toHaveLength(1)
      expect(some(2500)).toHaveLength(3)
    })

    test('a key makes a second message a duplicate, for a recipient and for a time', () => {
      const first = send({ dedupeKey: 'k' })
      expect(send({ dedupeKey: 'k', body: 'changed' })).toEqual({
        id: first.id,
        deliveredTo: [],
        duplicate: true,
        dead: [],
        full: [],
      })
      expect(send({ dedupeKey: 'k', to: 'other' }).duplicate).toBe(false)
      expect(send({ dedupeKey: 'k', scope: 's2' }).duplicate).toBe(false)
      expect(send().duplicate).toBe(false)
      expect(send().duplicate).toBe(false)
      const timed = send({ dedupeKey: 't', dedupeMs: 1000 })
      expect(send({ dedupeKey: 't', dedupeMs: 1000 })).toMatchObject({ duplicate: true, id: timed.id })
      place.clock.now += 1000
      expect(send({ dedupeKey: 't', dedupeMs: 1000 }).duplicate).toBe(false)
      place.store.mail.acknowledge(
        'aggman',
        take().map((m) => m.id),
      )
      expect(send({ dedupeKey: 'k' }).duplicate).toBe(true)
    })

    test.each<[string, Partial<Outgoing>, string]>([
      ['a body of more than 64 KiB', { body: 'é'.repeat(32_769) }, 'too_large'],
      ['metadata that does not fit', { body: 'x', meta: { x: 'y'.repeat(65_536) } }, 'too_large'],
      ['the sender aggman', { from: 'aggman', to: 'w1' }, 'sender_read_only'],
    ])('%s is refused', (_, over, code) => {
      expect(failureOf(() => send(over)).code).toBe(code)
      expect(states()).toEqual([])
    })

    test('a body of 64 KiB passes', () => {
      send({ body: 'é'.repeat(32_768) })
      expect(take()[0]?.body).toHaveLength(32_768)
    })

    test('a mailbox is full at 10,000 until something is read or expires', () => {
      const { mail } = place.store
      mail.sendAll(
        Array.from({ length: 9_999 }, (_, i) => write({ body: `${i}`, expiresMs: i === 0 ? 1 : day })),
      )
      send()
      expect(failureOf(() => send()).code).toBe('mailbox_full')
      expect(send({ to: 'other' }).deliveredTo).toEqual(['other'])
      place.clock.now += 1
      send({ body: 'into the place of the expired one' })
      expect(failureOf(() => send()).code).toBe('mailbox_full')
      mail.acknowledge('aggman', [take({ limit: 1 })[0]?.id as string])
      expect(send().deliveredTo).toEqual(['aggman'])
    })

    test('a batch is kept whole or not at all', () => {
      const { mail } = place.store
      const batch = [write({ body: 'a' }), write({ from: 'aggman' }), write({ body: 'c' })]
      expect(failureOf(() => mail.sendAll(batch)).code).toBe('sender_read_only')
      expect(states()).toEqual([])
      expect(mail.sendAll([write({ body: 'a' }), write({ body: 'b' })])).toHaveLength(2)
      expect(bodies(take())).toEqual(['a', 'b'])
    })

    test('posts of one tick keep their order and are answered one by one', async () => {
      const { mail } = place.store
      const answers = await Promise.allSettled(
        Array.from({ length: 50 }, (_, i) =>
          mail.post(write({ body: `${i}`, from: i === 7 ? 'aggman' : 'w' })),
        ),
      )
      expect(answers.filter((answer) => answer.status === 'rejected')).toHaveLength(1)
      expect(answers[7]).toMatchObject({ reason: { failure: { code: 'sender_read_only' } } })
      expect(bodies(take()).join(' ')).toBe(
        Array.from({ length: 50 }, (_, i) => `${i}`)
          .filter((i) => i !== '7')
          .join(' '),
      )
    })
  })

  describe('broadcast', () => {
    test('reaches who has read or joined lately, but not the sender, and the mailbox of that name', () => {
      const { mail } = place.store
      take({ recipient: 'old' })
      place.clock.now += day
      take({ recipient: 'w1' })
      take({ recipient: 'w2' })
      take({ recipient: 'stranger', scope: 'elsewhere' })
      mail.join('s', 'w3')
      const posted = send({ to: 'broadcast', type: 'broadcast' })
      expect(posted.deliveredTo).toEqual(['w2', 'w3', 'broadcast'])
      for (const recipient of posted.deliveredTo)
        expect(take({ recipient })).toMatchObject([{ id: posted.id, to: 'broadcast' }])
      mail.acknowledge('w2', [posted.id])
      place.clock.now += minute
      expect(take({ recipient: 'w2' })).toEqual([])
      expect(take({ recipient: 'w3' })).toHaveLength(1)
    })

    test('passes over a full mailbox and says so', () => {
      const { mail } = place.store
      mail.join('s', 'w2')
      mail.join('s', 'w3')
      mail.sendAll(Array.from({ length: 10_000 }, () => write({ to: 'w2' })))
      expect(send({ to: 'broadcast' })).toMatchObject({ deliveredTo: ['w3', 'broadcast'], full: ['w2'] })
    })

    test('who has ended gets nothing: the message is kept as dead', () => {
      const { mail } = place.store
      mail.join('s', 'w2')
      mail.leave('s', 'w2')
      expect(send({ to: 'broadcast' }).deliveredTo).toEqual(['broadcast'])
      expect(send({ to: 'w2' })).toMatchObject({ deliveredTo: [], dead: ['w2'] })
      expect(mail.list({ scope: 's', recipient: 'w2' })).toMatchObject([
        { state: 'dead', reason: 'dead_recipient', message: { body: 'hello' } },
      ])
      mail.join('s', 'w2')
      expect(send({ to: 'w2' }).deliveredTo).toEqual(['w2'])
    })

    test('a list can be held to a recipient, to states and to a number', () => {
      const { mail } = place.store
      for (const to of ['a', 'b', 'b']) send({ to })
      mail.acknowledge(
        'b',
        take({ recipient: 'b', limit: 1 }).map((m) => m.id),
      )
      const count = (query: { recipient?: string; states?: ('queued' | 'acked')[]; limit?: number }) =>
        mail.list({ scope: 's', ...query }).length
      expect([
        count({}),
        count({ recipient: 'b' }),
        count({ states: ['queued'] }),
        count({ limit: 1 }),
      ]).toEqual([3, 2, 2, 1])
      expect(mail.list({ scope: 'none' })).toEqual([])
    })
  })
}
