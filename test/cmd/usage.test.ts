// `anode usage`: the usage of a run for users and for programs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'

const model = 'script:../replies.jsonl'

let w: World
beforeAll(async () => {
  w = world()
  const usage = { in: 1000, cached: 900, written: 60, out: 20, usd: null }
  const replies = [
    { calls: [{ name: 'read', args: { path: 'a.txt' } }], usage },
    { text: 'Read.', usage: { ...usage, usd: 0.25 } },
  ]
  w.put('a.txt', 'x')
  w.put('../replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
  expect(await w.anode(['execute', 'read it', '--model', model])).toMatchObject({ code: 0 })
})
afterAll(() => w.remove())

test('reports an empty usage before the first request, and creates no database', async ({
  onTestFinished,
}) => {
  const empty = world()
  onTestFinished(() => empty.remove())
  expect(await empty.anode(['usage'])).toMatchObject({
    code: 0,
    out: '',
    err: 'No request to a model has been recorded.\n',
  })
  const { out } = await empty.anode(['usage', '--json'])
  expect(JSON.parse(out)).toMatchObject({ rows: [], total: { requests: 0, cached_share: null } })
})

test('shows a run by kind of token, and marks an unknown price', async () => {
  const { out } = await w.anode(['usage', '--by', 'model'])
  expect(out).toMatch(/^model +requests +fresh +read +write +output +cached +cost\n/)
  expect(out).toContain(`${model}  2         80     1.8k  120    40      90%     $0.25 +?\n`)
  expect(out).toContain('The price of 1 request is unknown and not in the cost.')
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)

  const json = JSON.parse((await w.anode(['usage', '--by', 'thread', '--json'])).out)
  expect(json.rows).toHaveLength(1)
  expect(json.rows[0]).toMatchObject({
    thread: expect.stringMatching(/^sess_/),
    title: 'read it',
    requests: 2,
    fresh: 80,
    cache_read: 1800,
    cache_write: 120,
    output: 40,
    usd: null,
    usd_known: 0.25,
    requests_without_price: 1,
    cached_share: 0.9,
  })
  const tools = JSON.parse((await w.anode(['usage', '--by', 'tool', '--json'])).out)
  expect(tools.rows.map(({ tool }: { tool: string }) => tool)).toEqual([null, 'read'])
})

test.each([
  [['--since', 'soon'], /--since soon is not a point in time\nwrite it as 7d/],
  [['--by', 'week'], /--by/],
])('rejects %j', async (words, said) => {
  const { code, err } = await w.anode(['usage', ...words])
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringMatching(said) })
})

test('shows nothing from before --since', async () => {
  expect((await w.anode(['usage', '--since', '2999-01-01'])).err).toMatch(/recorded since then/)
  expect(JSON.parse((await w.anode(['usage', '--since', '1d', '--json'])).out).total.requests).toBe(2)
})

test('shows the parts of the context window of a run, as text and as JSON', async () => {
  const { out } = await w.anode(['threads', 'show', 'last', '--context'])
  expect(out).toMatch(/^part +tokens +share\nsystem +\d/)
  expect(out).toMatch(/\ntools: native +[\d,]+ +\d/)
  expect(out).toMatch(/\nresults: read +\d/)
  expect(out).toMatch(/\nwindow +[\d,]+ +100%\n/)
  expect(out).toMatch(/the provider counted 1,000/)
  const found = JSON.parse((await w.anode(['threads', 'show', 'last', '--context', '--json'])).out)
  expect(found).toMatchObject({ counted: 1000, window: expect.any(Number) })
  expect(found.parts[0]).toMatchObject({
    part: 'system',
    tokens: expect.any(Number),
    share: expect.any(Number),
  })
})
