// How fast the screen of a session is, through a real pseudo terminal: start, keys, streamed words, rest.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn } from '@lydell/node-pty'

const program = fileURLToPath(new URL('../../dist/anode.cjs', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'anode-bench-'))
const rounds = Number(process.env.ROUNDS ?? 9)
mkdirSync(join(work, 'here'))
const words = Array.from({ length: 400 }, (_, i) => (i % 12 === 11 ? `word${i}.\n\n` : `word${i} `))

// a model that says a hundred words a second
const server = createServer(async (request, reply) => {
  request.resume()
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (choice) =>
    reply.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, ...choice }] })}\n\n`)
  for (const content of words) {
    send({ delta: { content }, finish_reason: null })
    await sleep(10)
  }
  send({ delta: {}, finish_reason: 'stop' })
  reply.end('data: [DONE]\n\n')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${server.address().port}/v1`
mkdirSync(join(work, '.config', 'anode'), { recursive: true })
writeFileSync(
  join(work, '.config', 'anode', 'config.json'),
  JSON.stringify({
    providers: { bench: { baseUrl, apiKey: 'none-at-all', window: 100_000, model: 'words' } },
  }),
)

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

const floor = []
const paint = []
for (let i = 0; i < rounds; i++) {
  const from = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  floor.push(performance.now() - from)
  const screen = start([])
  paint.push((await screen.until(/\? help/)) - screen.begun)
  await screen.end()
}

/** Milliseconds from a key to the bytes that show it. */
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
const idle = start([])
await idle.until(/\? help/)
await sleep(500)
const keys = await timeKeys(idle, 60)
const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${idle.child.pid}/status`, 'utf8'))[1]) / 1024
const ticks = () => Number(statOf(idle.child.pid)[11]) + Number(statOf(idle.child.pid)[12])
await sleep(500)
const before = ticks()
await sleep(5_000)
const rest = (ticks() - before) / 5
await idle.end()

const bare = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { cwd: work })
await sleep(500)
const bareMemory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${bare.pid}/status`, 'utf8'))[1]) / 1024
bare.kill('SIGKILL')

async function stream(size) {
  const screen = start(['--model', 'bench/words', 'go on'], size)
  await screen.until(/word20/)
  const begun = screen.bytes().length
  await screen.until(/done /)
  const bytes = screen.bytes()
  await screen.end()
  const count = words.length - 20
  return { perWord: (bytes.length - begun) / count, cleared: (bytes.match(/\x1b\[[23]J/g) ?? []).length }
}
const busy = start(['--model', 'bench/words', 'go on'])
await busy.until(/word20/)
const busyKeys = await timeKeys(busy, 60, ['#', '%', '&', '+', '=', '~'])
await busy.end()
const small = await stream({ columns: 80, rows: 24 })
const large = await stream({ columns: 120, rows: 40 })
server.close()
server.closeAllConnections()
rmSync(work, { recursive: true, force: true })

const rows = [
  [
    'first paint',
    `${median(paint).toFixed(0)} ms`,
    `${(median(paint) / median(floor)).toFixed(1)} x node -e 0`,
    '4 x',
  ],
  [
    'key to bytes, p95, idle',
    `${share(keys, 0.95).toFixed(1)} ms`,
    `median ${median(keys).toFixed(1)} ms`,
    '16 ms',
  ],
  [
    '  while words come',
    `${share(busyKeys, 0.95).toFixed(1)} ms`,
    `median ${median(busyKeys).toFixed(1)} ms`,
    '33 ms',
  ],
  ['bytes a word, 80x24', small.perWord.toFixed(0), `${small.cleared} clears`, '150'],
  ['bytes a word, 120x40', large.perWord.toFixed(0), `${large.cleared} clears`, '180'],
  [
    'memory over bare Node',
    `${(memory - bareMemory).toFixed(0)} MiB`,
    `${memory.toFixed(0)} MiB in all`,
    '40 MiB',
  ],
  ['processor at rest', `${rest.toFixed(1)} %`, 'of one core', '1 %'],
]
for (const row of rows)
  console.log(
    row
      .map((cell, i) => cell.padEnd([26, 10, 22, 8][i]))
      .join('')
      .trimEnd(),
  )
