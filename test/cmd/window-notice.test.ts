// The notice about a guessed context window, which comes once for each model on a machine.
import { afterEach, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { serveModel } from '../support/model-server.ts'

const worlds: World[] = []
afterEach(() => {
  for (const at of worlds.splice(0)) at.remove()
})

const notice = /the context window of lab\/\S+ is not known/g

/** Executes one task with a model. Returns the number of notices that its process wrote. */
async function countNotices(at: World, model: string): Promise<number> {
  const done = await at.anode(['execute', 'go', '--model', `lab/${model}`])
  expect(done).toMatchObject({ code: 0, out: 'ok\n' })
  return done.err.match(notice)?.length ?? 0
}

/** Returns a user with a configured server that reports no window. */
async function openUser(settings: Record<string, unknown> = {}): Promise<World> {
  const server = await serveModel(() => ({ text: 'ok' }))
  const at = world()
  worlds.push({ ...at, remove: () => void server.close().then(() => at.remove()) })
  at.put(
    '../.config/anode/config.json',
    JSON.stringify({ providers: { lab: { baseUrl: server.url, ...settings } } }),
  )
  return at
}

test('processes say once per model that its window is guessed', async () => {
  const at = await openUser()
  const models = ['a', 'a', 'b', 'a', 'b']
  const counts: number[] = []
  for (const model of models) counts.push(await countNotices(at, model))
  expect(counts).toEqual([1, 0, 1, 0, 0])
})

test('processes that begin at once say it once', async () => {
  const at = await openUser()
  const counts = await Promise.all(Array.from({ length: 4 }, () => countNotices(at, 'a')))
  expect(counts.toSorted()).toEqual([0, 0, 0, 1])
})

test('no process says it of a window that is set', async () => {
  const at = await openUser({ window: 50_000 })
  expect(await countNotices(at, 'a')).toBe(0)
})
