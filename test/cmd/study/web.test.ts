// A study of the web with the built program: a page that a search has found is opened, quoted and reported, on a
// local site behind a local search server.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type World, world } from '../../support/anode.ts'
import { forms } from '../../support/engines.ts'
import { withRedis } from '../../support/redis.ts'
import { webServer } from '../../support/web-server.ts'

const article = `<!doctype html><html><head><title>How locks expire</title>
<meta property="article:published_time" content="2024-05-06T07:08:09Z"></head><body><article>
<h2>Expiry</h2><p>${'A lock protects a file from two writers at the same time. '.repeat(5)}</p>
<p>The lock expires after 45 seconds without a heartbeat.</p></article></body></html>`

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

/** Opens a site with one page, a search server that finds it, and the configuration for both. */
async function openWeb() {
  const site = await webServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(article)
  })
  const page = `${site.base}/locks`
  const found = [{ title: 'Locks', url: page, about: 'About locks.' }]
  const search = await webServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(forms.searxng(found))
  })
  const config = {
    web: { searxngUrl: search.base },
    permissions: [{ tool: 'web_fetch', host: '127.0.0.1', action: 'allow' }],
  }
  const file = join(at.dir, '..', 'config.json')
  writeFileSync(file, JSON.stringify(config))
  const quote = 'The lock expires after 45 seconds without a heartbeat.'
  const claim = { text: 'A lock expires after 45 seconds.', evidence: 'E1.2', quote }
  const replies = [
    { task: 't1', calls: [{ name: 'web_search', args: { query: 'lock expiry' } }] },
    { task: 't1', calls: [{ name: 'web_fetch', args: { url: page } }] },
    { task: 't1', claims: [claim] },
    { task: 'report', text: '## Answer\n\nIt expires after 45 seconds [C1.1].' },
  ]
  const script = join(at.dir, '..', 'script.jsonl')
  writeFileSync(script, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const plan = join(at.dir, '..', 'plan.json')
  writeFileSync(plan, JSON.stringify({ tasks: [{ objective: 'when locks expire', sources: ['web'] }] }))
  const words = ['--sources', 'web', '--model', `script:${script}`, '--plan', plan, '--workers', '1']
  return { site, search, page, words, env: { ANODE_CONFIG: file } }
}

async function studyThePage(more: readonly string[]) {
  const { site, search, page, words, env } = await openWeb()
  const done = await at.anode(['study', 'When do locks expire?', ...words, ...more], { env })
  expect(done.code, done.err).toBe(0)
  expect([site.seen.length, search.seen.length]).toEqual([1, 1])
  const report = JSON.parse((await at.anode(['study', 'report', 'last', '--json'], { env })).out)
  expect(report.claims).toEqual([
    expect.objectContaining({ verified: true, place: expect.stringMatching(/\/locks, line \d+$/) }),
  ])
  expect(report.sources).toEqual([
    expect.objectContaining({
      ...{ canonical: page, kind: 'web page', title: 'How locks expire', date: '2024-05-06', link: page },
    }),
  ])
  const markdown = await at.anode(['study', 'report', 'last'], { env })
  expect(markdown.out).toContain(page)
  expect((await at.anode(['study', 'verify', 'last'], { env })).out).toContain('citation accuracy 1.00')
}

test('the page is evidence with its date and address', () => studyThePage([]), 60_000)

withRedis('on a server', (redis) => {
  test('the page is the same evidence', () => studyThePage(['--engine', redis().url]), 90_000)
})
