// kill -9 of workers and leaders of a study that quotes pages of a PDF and of the web, locally and on a
// server: nothing is paid or claimed twice, and page, hash and quote are unchanged.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { forms } from '../support/engines.ts'
import { papers } from '../support/papers.ts'
import { durable, startRedis, whereRedis } from '../support/redis.ts'
import { rng } from '../support/rng.ts'
import { comparable, type KilledReport, type KillPlace, runAndKill } from '../support/study-kill.ts'
import { webServer } from '../support/web-server.ts'

const tries = Number(process.env['ANODE_FAULTS'] ?? 0) || 1
const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

const quote = 'The lock expires after 45 seconds without a heartbeat.'
const article = `<!doctype html><html><head><title>How locks expire</title></head><body><article><h2>Expiry</h2>
<p>${'A lock protects a file from two writers at the same time. '.repeat(5)}</p><p>${quote}</p></article></body></html>`

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

/**
 * Returns a task on a paper and one on a page, four steps each, with all the configuration that they need.
 */
async function setUp(): Promise<{ place: KillPlace; words: string[] }> {
  const site = await webServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(article)
  })
  const page = `${site.base}/locks`
  const search = await webServer((_, response) => {
    const found = forms.searxng([{ title: 'Locks', url: page, about: 'About locks.' }])
    response.writeHead(200, { 'content-type': 'application/json' }).end(found)
  })
  mkdirSync(join(at.dir, 'papers'))
  writeFileSync(join(at.dir, 'papers', 'tide-pools.pdf'), papers['tide-pools.pdf'] as Uint8Array)
  const beside = (name: string, text: string) => {
    const file = join(at.dir, '..', name)
    writeFileSync(file, text)
    return file
  }
  const web = { searxngUrl: search.base }
  const permissions = [{ tool: 'web_fetch', host: '127.0.0.1', action: 'allow' }]
  const config = beside('config.json', JSON.stringify({ web, permissions }))
  const call = (name: string, args: object) => ({ calls: [{ name, args }] })
  const claim = (text: string, evidence: string, words: string) => ({
    claims: [{ text, evidence, quote: words }],
  })
  const paper = [
    call('finder', { mode: 'passage', query: 'tide pools cooling rate falls with depth' }),
    call('finder', { mode: 'passage', query: 'wind over the harbour' }),
    call('glob', { pattern: 'papers/*' }),
    claim('The cooling rate falls with depth.', 'E1.1', 'Cooling rate falls with depth'),
  ]
  const online = [
    call('web_search', { query: 'lock expiry' }),
    call('web_fetch', { url: page }),
    call('web_search', { query: 'heartbeat' }),
    claim('A lock expires after 45 seconds.', 'E2.2', quote),
  ]
  const steps = [paper, online].flatMap((replies, i) =>
    replies.map((reply) => ({ task: `t${i + 1}`, delay_ms: 40, usage: { in: 100, out: 10 }, ...reply })),
  )
  const report = { task: 'report', delay_ms: 40, text: '## Answer\n\nSlowly, and 45 seconds [C1.1, C2.1].' }
  const script = beside('script.jsonl', [...steps, report].map((one) => `${JSON.stringify(one)}\n`).join(''))
  const tasks = [
    { objective: 'how deep pools cool', sources: ['repo'] },
    { objective: 'when locks expire', sources: ['web'] },
  ]
  const plan = beside('plan.json', JSON.stringify({ tasks }))
  const flags = ['--sources', 'repo,web', '--plan', plan, '--model', `script:${script}`, '--workers', '2']
  const place = { dir: at.dir, data: at.data, env: { ANODE_CONFIG: config } }
  return { place, words: ['study', 'How fast do pools cool, and when do locks expire?', ...flags, '--json'] }
}

interface EvidenceReport extends KilledReport {
  claims: { place: string; verified: boolean; source_changed: boolean }[]
}

async function surviveKills(more: readonly string[]): Promise<void> {
  const random = rng(seed)
  const { place, words } = await setUp()
  const all = [...words, ...more]
  const env = { env: place.env as Record<string, string> }
  const undisturbed = await at.anode(all, env)
  expect(undisturbed.code, undisturbed.err).toBe(0)
  const [paper, page] = (JSON.parse(undisturbed.out) as EvidenceReport).claims
  expect(paper).toMatchObject({ verified: true, source_changed: false })
  expect(paper?.place).toMatch(/^papers\/tide-pools\.pdf, page 2, lines? \d/)
  expect(page).toMatchObject({ verified: true, place: expect.stringMatching(/\/locks, line \d+$/) })
  const wanted = comparable(undisturbed.out)
  let hits = 0
  for (let i = 0; hits < tries && i < tries * 3; i++) {
    const victim = i % 2 === 0 ? 'worker' : 'coordinator'
    const run = await runAndKill(place, all, victim, 1 + Math.floor(random() * 28), random)
    if (!run.hit) continue
    hits++
    const ended =
      run.code === null ? await at.anode(['study', 'resume', 'last', '--json', '--quiet'], env) : run
    expect({ code: ended.code, err: ended.err }, `seed ${seed}, kill ${i}`).toEqual({ code: 0, err: '' })
    const none = { repaid_steps: 0, duplicate_claims: 0, citation_accuracy: 1 }
    expect(JSON.parse(ended.out), `seed ${seed}, kill ${i}`).toMatchObject(none)
    expect(comparable(ended.out), `seed ${seed}, kill ${i}`).toBe(wanted)
  }
  process.stdout.write(`study of a PDF and a page, kill -9 ${more.join(' ')}: survived ${hits}\n`)
  expect(hits).toBe(tries)
}

const timeout = 90_000 + tries * 40_000

test(`papers and pages survive kill -9 (${tries} kills, seed ${seed})`, () => surviveKills([]), timeout)

whereRedis('on a server', () => {
  test(
    `papers and pages survive kill -9 (${tries} kills, seed ${seed})`,
    async ({ onTestFinished }) => {
      const redis = await startRedis(durable)
      onTestFinished(() => redis.remove())
      await surviveKills(['--engine', redis.url])
    },
    timeout,
  )
})
