// The contract for every journal in any storage, run against each by a separate test.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createUlid } from '../../internal/base/ids.ts'
import type { Fence, Journal, NewJournalLine } from '../../internal/store/journal/journal.ts'
import { rng } from './rng.ts'

/** A storage of journals for one test. */
export interface JournalPlace {
  /** Returns a handle on the same data, as another process would have. The suite closes it. */
  open(): Promise<Journal>
  /** Advances the journal's clock: the test sets its clock, or waits for the clock of a server. */
  pass(ms: number): Promise<void>
  remove(): Promise<void>
}

export const line = (kind: string, data: NewJournalLine['data'] = {}, key?: string): NewJournalLine => ({
  kind,
  data,
  ...(key !== undefined && { key }),
})

const leaseMs = 300
const free = { tokens: 0, usd: 0 }
const code = (code: string) => ({ failure: { code } })

/** Declares the whole suite for one implementation. */
export function journalContract(name: string, make: () => Promise<JournalPlace>): void {
  describe(name, () => {
    let at: JournalPlace
    let journal: Journal
    let opened: Journal[]
    let study: string
    const again = async () => {
      const other = await at.open()
      opened.push(other)
      return other
    }
    beforeEach(async () => {
      at = await make()
      opened = []
      journal = await again()
      study = createUlid()
      await journal.create(study, line('study', { question: 'why?' }), {})
    })
    afterEach(async () => {
      for (const one of opened) await one.close()
      await at.remove()
    })
    const take = async (task = 't1', owner = 'w1', epoch = 0, by = journal): Promise<Fence> => {
      const claimed = await by.claim({ study, task, epoch }, owner, leaseMs)
      if (claimed.state !== 'ok') throw new Error(`not claimed: ${claimed.state}`)
      return { task, owner, epoch: claimed.epoch }
    }

    describe('the log', () => {
      test('stores lines in order, numbered without gaps', async () => {
        const other = await again()
        expect(await journal.append(study, [line('a', { n: 1 }), line('b', { s: 'ü\n"' })])).toEqual({
          state: 'ok',
          last: 3,
        })
        expect(await other.append(study, [line('c', {}, 'c:1')])).toEqual({ state: 'ok', last: 4 })
        const lines = await journal.read(study, 0, 100)
        expect(lines.map(({ ts: _, ...rest }) => rest)).toEqual([
          { seq: 1, kind: 'study', data: { question: 'why?' } },
          { seq: 2, kind: 'a', data: { n: 1 } },
          { seq: 3, kind: 'b', data: { s: 'ü\n"' } },
          { seq: 4, kind: 'c', key: 'c:1', data: {} },
        ])
        expect(lines.every(({ ts }) => Number.isInteger(ts) && ts > 0)).toBe(true)
        expect((await other.read(study, 1, 2)).map(({ seq }) => seq)).toEqual([2, 3])
        expect(await other.read(study, 4, 10)).toEqual([])
      })

      test('appends nothing of a batch whose key exists already', async () => {
        await journal.append(study, [line('a', {}, 'k')])
        expect(await journal.append(study, [line('b'), line('c', {}, 'k')])).toEqual({
          state: 'duplicate',
          key: 'k',
        })
        expect(await journal.append(study, [line('b', {}, 'x'), line('c', {}, 'x')])).toEqual({
          state: 'duplicate',
          key: 'x',
        })
        expect(await journal.read(study, 2, 10)).toEqual([])
      })

      test('has one first line, and none of an unknown study', async () => {
        await expect(journal.create(study, line('study'), {})).rejects.toMatchObject(code('bad_args'))
        expect(await journal.read(study, 0, 10)).toHaveLength(1)
        const nobody = createUlid()
        await expect(journal.read(nobody, 0, 10)).rejects.toMatchObject(code('not_found'))
        await expect(journal.append(nobody, [line('a')])).rejects.toMatchObject(code('not_found'))
        await expect(journal.claim({ study: nobody, task: 't', epoch: 0 }, 'w', 1)).rejects.toMatchObject(
          code('not_found'),
        )
      })

      test('wakes callers that wait for the next line, and limits the wait', async () => {
        const other = await again()
        const never = new AbortController().signal
        const waiting = journal.wait(study, 1, 20_000, never)
        await other.append(study, [line('a')])
        await waiting
        await journal.wait(study, 1, 20_000, never)
        await journal.wait(study, 2, 30, never)
        const stop = new AbortController()
        const stopped = journal.wait(study, 2, 20_000, stop.signal)
        stop.abort()
        await stopped
        expect(await journal.read(study, 2, 10)).toEqual([])
      })

      test('loses no line of many writers', async () => {
        const writers = [journal, await again(), await again()]
        await Promise.all(
          writers.flatMap((writer, w) =>
            Array.from({ length: 20 }, (_, i) => writer.append(study, [line('n', { w, i }), line('m')])),
          ),
        )
        const lines = await journal.read(study, 0, 1000)
        expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: 121 }, (_, i) => i + 1))
        expect(new Set(lines.map(({ data }) => JSON.stringify(data))).size).toBe(62)
      })
    })

    describe('leases', () => {
      test('are held by one worker at a time', async () => {
        const other = await again()
        const fence = await take()
        expect(fence.epoch).toBe(1)
        const busy = await other.claim({ study, task: 't1', epoch: 0 }, 'w2', leaseMs)
        expect(busy).toMatchObject({ state: 'busy' })
        const [held] = await other.leases(study)
        expect(held).toMatchObject({ task: 't1', owner: 'w1', epoch: 1 })
        expect(busy).toEqual({ state: 'busy', untilMs: held?.untilMs })
        expect(await take('t2', 'w2')).toMatchObject({ epoch: 1 })
      })

      test('are won by exactly one of many', async () => {
        const all = [journal, await again(), await again()]
        const claims = await Promise.all(
          all.flatMap((one, i) => [
            one.claim({ study, task: 't1', epoch: 0 }, `a${i}`, leaseMs * 10),
            one.claim({ study, task: 't1', epoch: 0 }, `b${i}`, leaseMs * 10),
          ]),
        )
        expect(claims.filter(({ state }) => state === 'ok')).toHaveLength(1)
        expect(claims.filter(({ state }) => state === 'busy')).toHaveLength(5)
      })

      test('end with time, and then fence off the old owner once another worker has the task', async () => {
        const old = await take()
        await at.pass(leaseMs + 20)
        expect(await journal.leases(study)).toEqual([])
        // no other worker has the task, so the owner may continue
        expect(await journal.heartbeat(study, old, leaseMs)).toBe(true)
        expect(await journal.append(study, [line('a')], old)).toMatchObject({ state: 'ok' })
        await at.pass(leaseMs + 20)
        const fresh = await take('t1', 'w2')
        expect(fresh.epoch).toBe(2)
        expect(await journal.heartbeat(study, old, leaseMs)).toBe(false)
        expect(await journal.append(study, [line('b')], old)).toEqual({ state: 'fenced' })
        expect(await journal.reserve(study, old, free, 1, {})).toEqual({ state: 'fenced' })
        expect(await journal.append(study, [line('c')], fresh)).toMatchObject({ state: 'ok' })
        expect((await journal.read(study, 1, 10)).map(({ kind }) => kind)).toEqual(['a', 'c'])
      })

      test('last while they are renewed', async () => {
        const fence = await take()
        for (let i = 0; i < 3; i++) {
          await at.pass(leaseMs * 0.6)
          expect(await journal.heartbeat(study, fence, leaseMs)).toBe(true)
        }
        expect(await journal.claim({ study, task: 't1', epoch: 0 }, 'w2', leaseMs)).toMatchObject({
          state: 'busy',
        })
      })

      test('are released only by their owner', async () => {
        const fence = await take()
        await journal.release(study, 't1', 'somebody', true)
        expect(await journal.leases(study)).toHaveLength(1)
        await journal.release(study, 't1', 'w1', false)
        expect(await journal.leases(study)).toEqual([])
        expect(await journal.append(study, [line('a')], fence)).toEqual({ state: 'fenced' })
        expect(await journal.heartbeat(study, fence, leaseMs)).toBe(false)
        expect(await take('t1', 'w2')).toMatchObject({ epoch: 2 })
      })

      test('are not granted for a task that has ended, or by an old job', async () => {
        await take()
        await journal.release(study, 't1', 'w1', true)
        expect(await journal.claim({ study, task: 't1', epoch: 0 }, 'w2', leaseMs)).toEqual({
          state: 'ended',
        })
        expect(await journal.claim({ study, task: 't1', epoch: 7 }, 'w2', leaseMs)).toEqual({
          state: 'ended',
        })

        await journal.enqueued({ study, task: 't2', epoch: 0 })
        await take('t2', 'w1')
        await journal.release(study, 't2', 'w1', false)
        await journal.enqueued({ study, task: 't2', epoch: 1 })
        await journal.enqueued({ study, task: 't2', epoch: 0 })
        expect(await journal.claim({ study, task: 't2', epoch: 0 }, 'w2', leaseMs)).toEqual({
          state: 'stale',
        })
        expect(await take('t2', 'w2', 1)).toMatchObject({ epoch: 2 })
      })
    })

    describe('the budget', () => {
      const asked = (tokens: number, usd = 0) => ({ tokens, usd })

      test('is unlimited without totals', async () => {
        const fence = await take()
        expect(await journal.reserve(study, fence, asked(1e12, 1e6), 0.85, {})).toMatchObject({ state: 'ok' })
      })

      test('is reserved, then replaced by the actual usage', async () => {
        await journal.limit(study, { tokens: 1000 })
        const fence = await take()
        const first = await journal.reserve(study, fence, asked(600), 1, {})
        if (first.state !== 'ok') throw new Error(first.state)
        expect(await journal.account(study)).toEqual({
          spent: asked(0),
          reserved: asked(600),
          overrun: asked(0),
        })
        expect(await journal.reserve(study, fence, asked(401), 1, {})).toEqual({
          state: 'refused',
          by: 'tokens',
          whose: 'study',
          left: { tokens: 400, usd: Number.POSITIVE_INFINITY },
        })
        await journal.settle(study, first.id, asked(100, 0.5))
        await journal.settle(study, first.id, asked(100, 0.5))
        const booked = { spent: asked(100, 0.5), reserved: asked(0), overrun: asked(0, 0.5) }
        expect(await journal.account(study)).toEqual(booked)
        expect(await journal.account(study, 't1')).toEqual(booked)
        expect(await journal.account(study, 't2')).toEqual({
          spent: asked(0),
          reserved: asked(0),
          overrun: asked(0),
        })
        expect(await journal.reserve(study, fence, asked(900), 1, {})).toMatchObject({ state: 'ok' })
      })

      test('keeps a share for the end', async () => {
        await journal.limit(study, { tokens: 1000, usd: 1 })
        const fence = await take()
        expect(await journal.reserve(study, fence, asked(851), 0.85, {})).toMatchObject({
          state: 'refused',
          left: { tokens: 850 },
        })
        expect(await journal.reserve(study, fence, asked(10, 0.9), 0.85, {})).toMatchObject({
          state: 'refused',
          by: 'usd',
        })
        expect(await journal.reserve(study, fence, asked(850, 0.85), 0.85, {})).toMatchObject({ state: 'ok' })
        expect(await journal.reserve(study, fence, asked(150), 1, {})).toMatchObject({ state: 'ok' })
        expect(await journal.reserve(study, fence, asked(1), 1, {})).toMatchObject({ state: 'refused' })
      })

      test('can be capped for a task', async () => {
        const fence = await take()
        expect(await journal.reserve(study, fence, asked(101), 0.85, { tokens: 100 })).toMatchObject({
          state: 'refused',
          whose: 'task',
          left: { tokens: 100 },
        })
        expect(await journal.reserve(study, fence, asked(60), 0.85, { tokens: 100 })).toMatchObject({
          state: 'ok',
        })
        expect(await journal.reserve(study, fence, asked(60), 0.85, { tokens: 100 })).toMatchObject({
          state: 'refused',
          left: { tokens: 40 },
        })
        const other = await take('t2')
        expect(await journal.reserve(study, other, asked(60), 0.85, { tokens: 100 })).toMatchObject({
          state: 'ok',
        })
      })

      test('grants nothing from a budget of zero', async () => {
        await journal.limit(study, { tokens: 0 })
        const fence = await take()
        expect(await journal.reserve(study, fence, asked(1), 1, {})).toMatchObject({ state: 'refused' })
      })

      test('is booked when the response is written', async () => {
        await journal.limit(study, { tokens: 1000 })
        const fence = await take()
        const hold = async () => {
          const held = await journal.reserve(study, fence, asked(300), 1, {})
          if (held.state !== 'ok') throw new Error(held.state)
          return held.id
        }
        const used = asked(50)
        expect(
          await journal.append(study, [line('step', {}, 's1')], fence, { reservation: await hold(), used }),
        ).toMatchObject({ state: 'ok' })
        expect(await journal.account(study)).toEqual({ spent: used, reserved: asked(0), overrun: asked(0) })
        const again = await hold()
        expect(
          await journal.append(study, [line('step', {}, 's1')], fence, { reservation: again, used }),
        ).toMatchObject({ state: 'duplicate' })
        expect(await journal.account(study)).toEqual({ spent: used, reserved: asked(300), overrun: asked(0) })
      })

      test('gets back the reservation of a lost lease, and a late response is an overrun', async () => {
        await journal.limit(study, { tokens: 1000 })
        const fence = await take()
        const held = await journal.reserve(study, fence, asked(900), 1, {})
        if (held.state !== 'ok') throw new Error(held.state)
        await journal.release(study, 't1', 'w1', false)
        expect(await journal.account(study)).toMatchObject({ reserved: asked(0) })
        const fresh = await take('t1', 'w2')
        expect(await journal.reserve(study, fresh, asked(900), 1, {})).toMatchObject({ state: 'ok' })
        await journal.settle(study, held.id, asked(20))
        expect(await journal.account(study)).toEqual({
          spent: asked(20),
          reserved: asked(900),
          overrun: asked(20),
        })
        await at.pass(leaseMs + 20)
        await take('t1', 'w3')
        expect(await journal.account(study)).toMatchObject({ reserved: asked(0) })
      })

      test('is never exceeded by many at once', async () => {
        const random = rng(4)
        const journals = [journal, await again()]
        await journal.limit(study, { tokens: 5000 })
        const one = async (worker: number) => {
          const by = journals[worker % 2] as Journal
          const claimed = await by.claim({ study, task: `t${worker}`, epoch: 0 }, `w${worker}`, 60_000)
          if (claimed.state !== 'ok') throw new Error(claimed.state)
          const fence = { task: `t${worker}`, owner: `w${worker}`, epoch: claimed.epoch }
          for (let i = 0; i < 12; i++) {
            const need = Math.ceil(random() * 400)
            const held = await by.reserve(study, fence, asked(need), 0.85, {})
            if (held.state !== 'ok') continue
            if (random() < 0.1) await sleep(1)
            await by.settle(study, held.id, asked(Math.ceil(random() * need)))
          }
        }
        await Promise.all(Array.from({ length: 8 }, (_, worker) => one(worker)))
        const { spent, reserved, overrun } = await journal.account(study)
        expect(spent.tokens).toBeGreaterThan(0)
        expect(spent.tokens).toBeLessThanOrEqual(4250)
        expect([reserved, overrun]).toEqual([asked(0), asked(0)])
      })
    })

    describe('mail and blobs', () => {
      test('mail goes to its reader once', async () => {
        const scope = `study:${study}`
        await journal.mail.join(scope, 'w1')
        const sent = { scope, from: 'w2', to: 'w1', type: 'question', body: 'where?' } as const
        const { id, deliveredTo } = await journal.mail.send(sent)
        expect(deliveredTo).toEqual(['w1'])
        const query = { scope, recipient: 'w1', owner: 'me', limit: 10, peek: false }
        expect(await (await again()).mail.receive(query)).toMatchObject([{ id, body: 'where?', from: 'w2' }])
        await journal.mail.acknowledge(scope, 'w1', [id], 't1.3')
        expect(await journal.mail.waiting(scope, 'w1')).toEqual({ queued: 0, leased: 0 })
        expect(await journal.mail.list({ scope })).toMatchObject([{ state: 'acked' }])
      })

      test('stores bytes under their hash', async () => {
        const bytes = Buffer.from([0, 255, 10, 13, 0])
        const hash = await journal.blob(study, bytes)
        expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'))
        expect(await journal.blob(study, bytes)).toBe(hash)
        expect(Buffer.from((await (await again()).open(study, hash)) ?? [])).toEqual(bytes)
        expect(await journal.open(study, hash.replaceAll(/./g, '0'))).toBeUndefined()
        await expect(journal.blob(study, Buffer.alloc((1 << 20) + 1))).rejects.toMatchObject(
          code('too_large'),
        )
      })
    })
  })
}
