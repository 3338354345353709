// The cost of `anode serve`: idle, with waiting runs and open streams, and while all runs stream text.
// RUNS and STREAMS set their numbers (8 and 16; the goal is for 50 and 64), SECONDS the time of each
// measurement.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createOwnedDirectory, spawnOwned } from './owned.mjs'

const program = fileURLToPath(new URL('../../dist/anode.cjs', import.meta.url))
const runs = Number(process.env.RUNS ?? 8)
const streams = Number(process.env.STREAMS ?? 16)
const seconds = Number(process.env.SECONDS ?? 5)
const wordsPerSecond = 20

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const share = (list, part) =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))]

const work = createOwnedDirectory('anode-bench-')
const here = join(work, 'here')
mkdirSync(here)
const waiting = join(work, 'waiting.jsonl')
writeFileSync(
  waiting,
  `${JSON.stringify({ calls: [{ name: 'create_file', args: { path: 'a.txt', content: 'x\n' } }] })}\n`,
)

// a model that streams the time of sending until the client disconnects
const model = createServer(async (incoming, reply) => {
  incoming.resume()
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  while (!reply.destroyed) {
    const delta = { content: `at${Date.now()} ` }
    const choices = [{ index: 0, delta, finish_reason: null }]
    reply.write(`data: ${JSON.stringify({ id: 'x', choices })}\n\n`)
    await sleep(1_000 / wordsPerSecond)
  }
})
await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${model.address().port}/v1`
mkdirSync(join(work, '.config', 'anode'), { recursive: true })
const provider = { baseUrl, apiKey: 'none-at-all', window: 100_000, model: 'words' }
writeFileSync(
  join(work, '.config', 'anode', 'config.json'),
  // a request may not name a script, so the silent runs use the configured model
  JSON.stringify({ model: `script:${waiting}`, providers: { bench: provider } }),
)

const env = { PATH: process.env.PATH, HOME: work, ANODE_DATA_DIR: join(work, 'data') }
const server = spawnOwned(process.execPath, [program, 'serve', '--port', '0', '--json'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const line = await new Promise((resolve) => createInterface({ input: server.stdout }).once('line', resolve))
const { address, tokenFile } = JSON.parse(line)
const headers = {
  authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`,
  'content-type': 'application/json',
}

function ask(path, body) {
  return new Promise((resolve, reject) => {
    const going = request(
      `${address}${path}`,
      { method: body ? 'POST' : 'GET', headers, agent: false },
      (reply) => {
        let text = ''
        reply.on('data', (chunk) => {
          text += chunk
        })
        reply.on('end', () => resolve({ status: reply.statusCode, body: JSON.parse(text) }))
      },
    )
    going.on('error', reject)
    going.end(body && JSON.stringify(body))
  })
}

async function startRuns(name) {
  const threads = []
  for (let n = 0; n < runs; n++) {
    const { status, body } = await ask('/v1/runs', { task: 'Go', workspace: here, model: name })
    if (status !== 201) throw new Error(`a run did not begin: ${JSON.stringify(body)}`)
    threads.push(body.thread)
  }
  return threads
}

const endRuns = async (threads) => {
  for (const thread of threads) await ask(`/v1/runs/${thread}/cancel`, {})
}

/** Opens streams of these runs in turn, and adds their events to `heard`. */
function watch(threads, heard) {
  return Array.from({ length: streams }, (_, n) =>
    get(
      `${address}/v1/runs/${threads[n % threads.length]}/events?after=0`,
      { headers, agent: false },
      (reply) => reply.setEncoding('utf8').on('data', heard),
    ).on('error', () => undefined),
  )
}

const ticks = () => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return Number(fields[11]) + Number(fields[12])
}

async function measure(asks = 0) {
  const begun = ticks()
  const from = performance.now()
  const times = []
  for (let n = 0; n < asks; n++) {
    const sent = performance.now()
    await ask('/v1/runs')
    times.push(performance.now() - sent)
  }
  await sleep(Math.max(0, seconds * 1_000 - (performance.now() - from)))
  const processor = (ticks() - begun) / ((performance.now() - from) / 1_000)
  const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024
  return { processor, memory, times }
}

await ask('/v1/runs')
await sleep(1_000)
const alone = await measure()

const quiet = await startRuns(undefined)
const silent = watch(quiet, () => undefined)
await sleep(2_000)
const idle = await measure()
for (const one of silent) one.destroy()
await endRuns(quiet)

const busy = await startRuns('bench/words')
const late = []
let isMeasured = false
const listening = watch(busy, (text) => {
  if (!isMeasured) return
  const now = Date.now()
  for (const [, sent] of text.matchAll(/at(\d{13}) "/g)) late.push(now - Number(sent))
})
await sleep(2_000)
isMeasured = true
const load = await measure(5)
isMeasured = false
for (const one of listening) one.destroy()
await endRuns(busy)

server.kill('SIGTERM')
model.close()
model.closeAllConnections()
await sleep(1_500)
rmSync(work, { recursive: true, force: true })

const percent = ({ processor }) => `${processor.toFixed(1)} %`
const size = ({ memory }) => `${memory.toFixed(0)} MiB`
const words = `${runs} runs, ${streams} streams`
const rows = [
  ['alone', percent(alone), size(alone), ''],
  [`idle: ${words}`, percent(idle), size(idle), '5 % and 120 MiB for 50 and 64'],
  [`load: ${wordsPerSecond} words a second each`, percent(load), size(load), `${late.length} words came`],
  ['word to client', `${share(late, 0.5)} ms`, `${share(late, 0.95)} ms`, 'median and p95'],
  ['list of runs under load', `${share(load.times, 0.5)?.toFixed(0)} ms`, '', 'median'],
]
for (const row of rows)
  console.log(
    row
      .map((cell, i) => cell.padEnd([34, 10, 10, 8][i]))
      .join('')
      .trimEnd(),
  )
