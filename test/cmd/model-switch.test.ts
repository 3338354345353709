// A list of models whose first one fails: the run, its usage and the report of a study name the
// model that replied.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { type ModelServer, type ServedReply, serveModel } from '../support/model-server.ts'

let at: World
const open: ModelServer[] = []
beforeEach(() => {
  at = world()
  at.put('doc/lock.md', '# Locks\n\nThe store locks files with O_EXCL. A lock is held for 30 seconds.\n')
})
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
  at.remove()
})

const read: ServedReply = { calls: [{ name: 'read', args: { path: 'doc/lock.md' } }] }
const unpaid: ServedReply = { status: 402, body: '{"error":{"message":"Payment required"}}' }

/** Starts two providers. The first runs out of credit after one response. */
async function serve(...second: ServedReply[]) {
  const [a, b] = [await serveModel([read, unpaid, unpaid]), await serveModel(second)]
  open.push(a, b)
  const settings = ({ url }: ModelServer) => ({ baseUrl: url, window: 32_000, maxConcurrent: 9 })
  const providers = { a: settings(a), b: settings(b) }
  at.put('../.config/anode/config.json', JSON.stringify({ providers }))
  return { a, b }
}

test('a run names the model in its result, in one line, and in its usage', async () => {
  const { a } = await serve({ text: 'O_EXCL' }, { text: 'again' })
  const words = ['execute', 'How?', '--model', 'a/x,b/y']
  const first = await at.anode([...words, '--stats'])
  expect([first.code, first.out]).toEqual([0, 'O_EXCL\n'])
  expect(first.err).toMatch(/^a\/x,b\/y then b\/y {2}2 requests/m)
  // the next run starts with the first model again
  const result = JSON.parse((await at.anode([...words, '--json'])).out)
  expect([result.text, a.requests.length]).toEqual(['again', 3])
  expect(result.switches).toEqual([
    { model: 'b/y', text: expect.stringMatching(/^a\/x cannot serve \(.*402.*\): b\/y is asked/) },
  ])
  const { rows } = JSON.parse((await at.anode(['usage', '--by', 'model', '--json'])).out)
  const counts = rows.map(({ model, requests }: Record<string, unknown>) => [model, requests])
  expect(counts.sort()).toEqual([
    ['a/x', 1],
    ['b/y', 2],
  ])
})

const claims = [
  { text: 'Files are locked with O_EXCL.', evidence: 'E1.1', quote: 'The store locks files with O_EXCL.' },
]
const words = ['study', 'How does the store lock files?', '--workers', '1', '--model', 'a/x,b/y']

test('a study with a list of models reports the number of responses of each model', async () => {
  await serve({ text: JSON.stringify({ claims, gaps: [] }) }, { text: '## Answer\n\nWith O_EXCL [C1.1].\n' })
  const { code, out, err } = await at.anode([...words, '--allow-model-switch', '--json', '--quiet'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const text = 'a/x could not serve all of it; by number of replies: a/x 1, b/y 2'
  expect(JSON.parse(out).notices).toContainEqual({ code: 'model_switched', text })
  const report = (await at.anode(['study', 'report', 'last'])).out
  expect(report).toContain(`model switched: ${text}`)
})

test('a study uses only the first model unless switching is allowed', async () => {
  const { b } = await serve()
  const { code } = await at.anode([...words, '--json', '--quiet'])
  expect([code, b.requests.length]).toEqual([1, 0])
})
