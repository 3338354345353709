// The speed of a session's screen in a real pseudo terminal: start, keys, streamed text, idle.
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { spawn } from '@lydell/node-pty'

const program = fileURLToPath(new URL('../../dist/anode.cjs', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'anode-bench-'))
const rounds = Number(process.env.ROUNDS ?? 9)
mkdirSync(join(work, 'here'))
const said = Array.from({ length: 400 }, (_, i) => (i % 12 === 11 ? `word${i}.\n\n` : `word${i} `))

const todos = Array.from({ length: 8 }, (_, i) => ({ content: `step ${i} of the work`, status: 'pending' }))
const fill = {
  index: 0,
  id: 'c1',
  type: 'function',
  function: { name: 'todo_write', arguments: JSON.stringify({ todos }) },
}

// a model that streams a hundred words per second; to fill the pane it starts with a list
const server = createServer(async (request, reply) => {
  const body = await new Response(Readable.toWeb(request)).text()
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (choice) =>
    reply.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, ...choice }] })}\n\n`)
  const fills = body.includes('fill the pane') && !body.includes('"tool_call_id"')
  if (fills) send({ delta: { tool_calls: [fill] }, finish_reason: null })
  for (const content of fills ? [] : said) {
    send({ delta: { content }, finish_reason: null })
    await sleep(10)
  }
  send({ delta: {}, finish_reason: fills ? 'tool_calls' : 'stop' })
  reply.end('data: [DONE]\n\n')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${server.address().port}/v1`
mkdirSync(join(work, '.config', 'anode'), { recursive: true })

/** Starts a local model server that is busy. */
const mute = createServer(() => undefined)
await new Promise((resolve) => mute.listen(0, '127.0.0.1', resolve))

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
const share = (list, part) =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))]

function start(args, { columns = 80, rows = 24 } = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: work,
    ANODE_DATA_DIR: join(work, 'data'),
    TERM: 'xterm-256color',
  }
  const begun = performance.now()
  const child = spawn(process.execPath, [program, ...args], {
    cwd: join(work, 'here'),
    env,
    cols: columns,
    rows,
  })
  let bytes = ''
  let heard = () => undefined
  child.onData((data) => {
    bytes += data
    heard()
  })
  const ended = new Promise((resolve) => child.onExit(resolve))
  return {
    child,
    begun,
    bytes: () => bytes,
    async until(seen) {
      const limit = performance.now() + 30_000
      while (!seen.test(bytes)) {
        if (performance.now() > limit) throw new Error(`never seen: ${seen}\n${bytes.slice(-500)}`)
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, 100)
          heard = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return performance.now()
    },
    async end() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Returns the configuration with a model server that answers slowly, or without one. */
const setProviders = (providers) =>
  writeFileSync(join(work, '.config', 'anode', 'config.json'), JSON.stringify({ providers }))
const known = { bench: { baseUrl, apiKey: 'none-at-all', window: 100_000, model: 'words' } }

const floor = []
const paint = []
const silent = []
const resumed = []
const thread = await storeThread(10_000)
for (let i = 0; i < rounds; i++) {
  const from = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  floor.push(performance.now() - from)
  setProviders({})
  const screen = start([])
  paint.push((await screen.until(/\? help/)) - screen.begun)
  await screen.end()
  const again = start(['--resume', thread, '--model', 'builtin/extract'])
  resumed.push((await again.until(/\? help/)) - again.begun)
  await again.end()
  // it accepts connections and does not answer
  setProviders({ slow: { baseUrl: `http://127.0.0.1:${mute.address().port}/v1`, apiKey: 'x', model: 'm' } })
  const waiting = start([])
  silent.push((await waiting.until(/\? help/)) - waiting.begun)
  await waiting.end()
}
setProviders(known)

/** Writes a thread with this many events. Returns its id. */
async function storeThread(count) {
  const { openStore } = await loadStore()
  const store = await openStore(join(work, 'data'))
  const { id } = store.threads.create({
    ...{
      workspace: realpathSync(join(work, 'here')),
      title: 'long',
      profile: 'craft',
      model: 'builtin/extract',
    },
  })
  const of = (call) => ({ call, tool: 'read', args: { path: 'src/a.ts' } })
  for (let turn = 0; turn * 10 < count; turn++) {
    const run = `run_${turn}`
    const call = `call_${turn}`
    const drafts = [
      { type: 'system.init', payload: { profile: 'craft', model: 'x', cwd: '/', tools: [] } },
      { type: 'message', payload: { role: 'user', text: `question ${turn}` } },
      ...Array.from({ length: 3 }, (_, i) => [
        { type: 'tool.call', payload: of(`${call}.${i}`) },
        {
          type: 'tool.result',
          payload: { ...of(`${call}.${i}`), ok: true, text: 'export const a = 1\n'.repeat(20) },
        },
      ]).flat(),
      {
        type: 'message',
        payload: { role: 'assistant', text: `# Answer ${turn}\n\n- one\n- two\n\nIt *is* so.` },
      },
      {
        type: 'run.ended',
        payload: { end: 'done', ms: 1_000, usd: 0.01, totals: { input: 100, output: 10 } },
      },
    ]
    const frame = (seq) => ({ id: `${turn}-${seq}`, run_id: run, seq, ts: Date.now() })
    store.threads.append(
      id,
      run,
      drafts.map((draft, i) => ({ ...draft, ...frame(i + 1) })),
    )
  }
  store.close()
  return id
}

async function loadStore() {
  const { build } = await import('esbuild')
  const outfile = join(work, 'store.mjs')
  const entry = fileURLToPath(new URL('../../internal/store/sqlite.ts', import.meta.url))
  await build({
    ...{ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
  })
  // the bundle looks for SQLite next to itself
  symlinkSync(fileURLToPath(new URL('../../dist/sqlite', import.meta.url)), join(work, 'sqlite'))
  return import(pathToFileURL(outfile).href)
}

/** Returns the milliseconds from a key to the bytes that show it. */
async function timeKeys(screen, count, letters = [...'abcdefghijklmnopqrstuvwxyz']) {
  const times = []
  for (let i = 0; i < count; i++) {
    const before = screen.bytes().length
    const letter = letters[i % letters.length]
    const from = performance.now()
    screen.child.write(letter)
    while (!screen.bytes().slice(before).includes(letter))
      await new Promise((resolve) => setImmediate(resolve))
    times.push(performance.now() - from)
    await sleep(20)
  }
  return times
}

const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
/** Returns the processor time of all threads in ms. */
const usedMs = (pid) => (Number(statOf(pid)[11]) + Number(statOf(pid)[12])) * 10
const memoryOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

/**
 * Returns the use of one core in percent over some seconds. About eight seconds after the last work, V8 collects
 * garbage once. So a program at rest is measured during that time and after it.
 */
async function timeRest({ child }, seconds) {
  const before = usedMs(child.pid)
  await sleep(seconds * 1_000)
  return (usedMs(child.pid) - before) / (seconds * 10)
}

const idle = start([])
await idle.until(/\? help/)
await sleep(500)
const keys = await timeKeys(idle, 60)
const memory = memoryOf(idle.child.pid)
await sleep(500)
const collecting = await timeRest(idle, 12)
const rest = await timeRest(idle, 20)
await idle.end()

const long = start(['--resume', thread, '--model', 'builtin/extract'])
await long.until(/\? help/)
await sleep(500)
const longKeys = await timeKeys(long, 60)
const longMemory = memoryOf(long.child.pid)
await long.end()

const bare = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { cwd: work })
await sleep(500)
const bareMemory = memoryOf(bare.pid)
bare.kill('SIGKILL')

/** Measures a run whose model accepts the connection and does not answer. */
setProviders({
  slow: { baseUrl: `http://127.0.0.1:${mute.address().port}/v1`, apiKey: 'x', model: 'm', window: 9_000 },
})
const patient = start(['--model', 'slow/m', 'say something'])
await patient.until(/works/)
await sleep(2_000)
const begins = await timeRest(patient, 10)
const waits = await timeRest(patient, 20)
await patient.end()
setProviders(known)

async function stream(size, words = [], message = 'go on') {
  const screen = start(['--model', 'bench/words', ...words, message], size)
  await screen.until(/word20/)
  const begun = screen.bytes().length
  const from = performance.now()
  // an earlier answer of the run may have its own end
  await screen.until(/word399[\s\S]*done {2}[\d.]+ m?s/)
  const seconds = (performance.now() - from) / 1_000
  const bytes = screen.bytes()
  await screen.end()
  const count = said.length - 20
  const frames = bytes.slice(begun).split('\x1b[?2026h').length - 1
  return {
    perWord: (bytes.length - begun) / count,
    perSecond: frames / seconds,
    cleared: (bytes.match(/\x1b\[[23]J/g) ?? []).length,
  }
}
const busy = start(['--model', 'bench/words', 'go on'])
await busy.until(/word20/)
const busyKeys = await timeKeys(busy, 60, ['#', '%', '&', '+', '=', '~'])
await busy.end()
const small = await stream({ columns: 80, rows: 24 })
const large = await stream({ columns: 120, rows: 40 })
const full = await stream({ columns: 80, rows: 24 }, ['--screen', 'full'])
const paned = await stream({ columns: 120, rows: 40 }, ['--screen', 'full'])
const filled = await stream({ columns: 120, rows: 40 }, ['--screen', 'full'], 'fill the pane, then go on')
mute.close()
mute.closeAllConnections()
server.close()
server.closeAllConnections()
rmSync(work, { recursive: true, force: true })

const times = (list) => [
  `${median(list).toFixed(0)} ms`,
  `${(median(list) / median(floor)).toFixed(1)} x node -e 0`,
]
const late = (list) => [`${share(list, 0.95).toFixed(1)} ms`, `median ${median(list).toFixed(1)} ms`]
const bytesOf = ({ perWord, perSecond, cleared }) => [
  perWord.toFixed(0),
  `${cleared} clears, ${perSecond.toFixed(0)} frames/s`,
]
const mib = (value) => `${value.toFixed(0)} MiB`
const rows = [
  ['first paint', ...times(paint), '4 x'],
  ['  its model server is silent', ...times(silent), '4 x'],
  ['  resuming 10,000 events', ...times(resumed), '6 x'],
  ['key to bytes, p95, idle', ...late(keys), '16 ms'],
  ['  while words come', ...late(busyKeys), '33 ms'],
  ['  at 10,000 events', ...late(longKeys), '16 ms'],
  ['bytes a word, 80x24', ...bytesOf(small), '150'],
  ['bytes a word, 120x40', ...bytesOf(large), '180'],
  ['  full, 80x24', ...bytesOf(full), '150'],
  ['  full with its pane, 120x40', ...bytesOf(paned), '250'],
  ['  the pane filled', ...bytesOf(filled), '450'],
  ['memory over bare Node', mib(memory - bareMemory), `${mib(memory)} in all`, '40 MiB'],
  ['  10,000 events more', mib(longMemory - memory), `${mib(longMemory)} in all`, '25 MiB'],
  ['processor at rest', `${rest.toFixed(2)} %`, `after a key: ${collecting.toFixed(2)} %`, '1 %'],
  ['  while the model is silent', `${waits.toFixed(2)} %`, `the first 12 s: ${begins.toFixed(2)} %`, '1 %'],
]
for (const row of rows)
  console.log(
    row
      .map((cell, i) => cell.padEnd([30, 10, 22, 8][i]))
      .join('')
      .trimEnd(),
  )
