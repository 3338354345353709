// The shared budget: held back before each request, booked with the reply, never exceeded by any number of
// workers.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import type { Model, ModelRequest } from '../../../../internal/model/model.ts'
import { estimateRequest } from '../../../../internal/model/tokens.ts'
import { type LocalJournal, openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { meteredModel } from '../../../../internal/study/worker/worker-budget.ts'
import { type Rng, rng } from '../../../support/rng.ts'
import { head } from '../../../support/study.ts'

const schedules = process.env['ANODE_FAULTS'] ? 1000 : 200
const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

/** Opens a journal in memory if possible, because the test measures sums, not the disk. */
async function open(): Promise<LocalJournal> {
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'anode-purse-'))
  const journal = await openJournal(dir)
  onTestFinished(async () => {
    await journal.close()
    rmSync(dir, { recursive: true, force: true })
  })
  return journal
}

/** Returns a language model that uses a random part of its budget, sometimes fails, and can be expensive. */
function spender(random: Rng, rates: { input: number; output: number }): Model {
  return {
    id: 'test/spender',
    kind: 'llm',
    window: 100_000,
    rates,
    async *stream(request: ModelRequest) {
      if (random() < 0.3) await turn()
      const input = estimateRequest(request)
      const output = Math.floor(random() * (request.maxOutput ?? 0))
      const usd = (input * rates.input + output * rates.output) / 1_000_000
      yield { type: 'usage', input, output, usd }
      if (random() < 0.1) yield { type: 'failure', failure: { kind: 'server', message: 'out of order' } }
      else yield { type: 'end', reason: 'stop' }
    },
  }
}

test(`spent stays within the limit in ${schedules} random schedules (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const random = rng(seed)
  const journal = await open()
  let refusals = 0
  let replies = 0
  for (let i = 0; i < schedules; i++) {
    const study = createUlid()
    const limits = { tokens: Math.ceil(random() * 60_000), ...(random() < 0.5 && { usd: random() * 0.2 }) }
    const share = random() < 0.5 ? 0.85 : 1
    await journal.create(study, makeStudyEntry('study', head({ id: study })), limits)
    const worker = async (n: number) => {
      const task = `t${n}`
      const claimed = await journal.claim({ study, task, epoch: 0 }, task, 60_000)
      if (claimed.state !== 'ok') throw new Error(claimed.state)
      const fence = { task, owner: task, epoch: claimed.epoch }
      const purse = { journal, study, fence, task, share, cap: {}, priced: 'usd' in limits, cwd: '/' }
      let refused = false
      const { stream } = meteredModel(spender(random, { input: 1, output: 5 }), purse, () => {
        refused = true
      })
      for (let step = 1; step <= 3 && !refused; step++) {
        const messages = [{ role: 'user' as const, content: 'x'.repeat(Math.floor(random() * 8000)) }]
        for await (const event of stream(
          { messages, tools: [] },
          step,
          { mail: [], notes: [] },
          AbortSignal.any([]),
        )) {
          if (event.type === 'end') replies++
        }
      }
      if (refused) refusals++
    }
    await Promise.all(Array.from({ length: 8 }, (_, n) => worker(n + 1)))
    const { spent, reserved, overrun } = await journal.account(study)
    expect(reserved, `schedule ${i}`).toEqual({ tokens: 0, usd: expect.closeTo(0, 9) })
    expect(overrun, `schedule ${i}`).toEqual({ tokens: 0, usd: 0 })
    expect(spent.tokens, `schedule ${i}`).toBeLessThanOrEqual(limits.tokens * share)
    if (limits.usd !== undefined) expect(spent.usd).toBeLessThanOrEqual(limits.usd * share + 1e-9)
    // what is booked is what the log says was replied, besides requests that failed after they had cost
    // something
    const lines = await journal.read(study, 0, 100)
    const logged = lines.flatMap(({ data }) => {
      const usage = data['usage'] as { input: number; output: number } | undefined
      return usage ? [usage.input + usage.output] : []
    })
    expect(logged.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(spent.tokens)
  }
  expect(refusals).toBeGreaterThan(0)
  expect(replies).toBeGreaterThan(0)
})

test('a price that is unknown cannot be held to a limit in money', async () => {
  const journal = await open()
  const study = createUlid()
  await journal.create(study, makeStudyEntry('study', head({ id: study })), { usd: 1 })
  await journal.claim({ study, task: 't1', epoch: 0 }, 'w', 60_000)
  const fence = { task: 't1', owner: 'w', epoch: 1 }
  const purse = { journal, study, fence, task: 't1', share: 1, cap: {}, priced: true, cwd: '/' }
  const { rates: _, ...model } = spender(rng(1), { input: 1, output: 1 })
  let why = ''
  const { stream } = meteredModel(model, purse, (detail) => {
    why = detail
  })
  const events = []
  for await (const event of stream(
    { messages: [], tools: [] },
    1,
    { mail: [], notes: [] },
    AbortSignal.any([]),
  ))
    events.push(event)
  expect(events).toMatchObject([{ type: 'failure' }])
  expect(why).toContain('price of test/spender is unknown')
})
