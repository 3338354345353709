// One rate limit for the workers of several machines: separate data directories, one model server that answers
// 429 with Retry-After above its limit.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Machine, machines } from '../support/many-machines.ts'
import { type Received, type ServedReply, serveModel } from '../support/model-server.ts'
import { withRedis } from '../support/redis.ts'

vi.setConfig({ testTimeout: 300_000 })

const rows = 100
const limit = 12
const windowMs = 2_000
const labels = ['one', 'two', 'three']

const textOf = (n: number) => `Report ${n}\n\nIn total ${n + 20} patients were enrolled.\n`
const files = Object.fromEntries(
  Array.from({ length: rows }, (_, i) => [`papers/${i + 1}.txt`, textOf(i + 1)]),
)

function answerRow({ body }: Received): ServedReply {
  const n = Number(/^Document papers\/(\d+)\.txt/m.exec(String(body.messages[1]?.content))?.[1])
  if (Number.isNaN(n)) return { text: '- All of them enrolled patients.' }
  const quote = `In total ${n + 20} patients were enrolled.`
  return { text: JSON.stringify({ row: { patients: { value: `${n + 20}`, quote } } }) }
}

/** A provider that counts requests in windows of fixed length, and refuses those above its limit. */
async function serveLimited() {
  let begin = Date.now()
  let used = 0
  let refused = 0
  const served = await serveModel((request) => {
    const now = Date.now()
    if (now >= begin + windowMs) {
      begin = now
      used = 0
    }
    const resetMs = begin + windowMs - now
    if (used >= limit) {
      refused++
      const headers = { 'retry-after-ms': `${resetMs}` }
      return { status: 429, headers, body: '{"error":{"message":"Rate limit reached"}}' }
    }
    used++
    const headers = {
      'x-ratelimit-limit-requests': `${limit}`,
      'x-ratelimit-remaining-requests': `${limit - used}`,
      'x-ratelimit-reset-requests': `${resetMs}ms`,
    }
    return { ...answerRow(request), headers }
  })
  return { served, refused: () => refused }
}

function configure({ dir }: Machine, url: string): void {
  const home = join(dir, '..', '.config', 'anode')
  mkdirSync(home, { recursive: true })
  const providers = { me: { baseUrl: url, model: 'me', window: 200_000, price: { input: 1, output: 2 } } }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ providers, model: 'me/me' }))
}

withRedis('machines with one key', (redis) => {
  test('together stay below its limit', async ({ onTestFinished }) => {
    const park = machines()
    const { served, refused } = await serveLimited()
    onTestFinished(async () => {
      await park.clear()
      await served.close()
    })
    const lead = park.machine(files)
    configure(lead, served.url)
    for (const label of labels) {
      const machine = park.machine(files)
      configure(machine, served.url)
      const worker = machine.start(['worker', '--label', label, '--slots', '4', '--engine', redis().url])
      await worker.says('serves corpus')
    }
    const fill = (...more: string[]) =>
      lead.run([
        ...['study', 'How many were enrolled?', '--each', 'papers/*.txt', '--columns', 'patients: number'],
        ...['--engine', redis().url, '--local', '0', '--json', '--quiet', ...more],
      ])
    // the first responses tell the limit
    const first = await fill('--sample', '2', '--workers', '1')
    expect(first.code, first.err).toBe(0)
    const before = refused()
    const done = await fill('--workers', '12')
    expect(done.code, done.err).toBe(0)
    expect(JSON.parse(done.out).counts).toMatchObject({ documents: rows, filled: rows })
    const trace = (await lead.run(['study', 'trace', 'last', '--json'])).out
    for (const owner of labels) expect(trace).toContain(`"owner":"${owner}"`)
    expect(trace).toMatch(/"version":"\d+\.\d+\.\d+/)
    const count = refused() - before
    process.stdout.write(`3 machines on one limit: ${count} of ${rows + count} requests were refused\n`)
    expect(count).toBeLessThanOrEqual(Math.floor(rows * 0.02))
  })
})
