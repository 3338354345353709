// Rows of `npm run bench:study` about size: 1,000 tasks on 256 slots, the cost of worker processes, the
// commands of a server, and reading that is split over threads.
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { endOwned, spawnOwned } from './owned.mjs'
import { claimRows } from './study-claims.mjs'
import { measureKill, measureLimit } from './study-tables.mjs'

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

/** Writes a plan and a script of tasks that have `replies` responses each, after `delayMs` each. */
function prepareTasks({ home, name, tasks, replies, delayMs, statement }) {
  const lines = []
  for (let i = 0; i < tasks; i++) {
    const task = `t${i + 1}`
    const file = i % 40
    const read = { task, delay_ms: delayMs, calls: [{ name: 'read', args: { path: `doc-${file}.md` } }] }
    for (let n = 1; n < replies; n++) lines.push(read)
    const claim = { text: statement(file), evidence: `E${i + 1}.1`, quote: statement(file) }
    lines.push({ task, delay_ms: delayMs, claims: [claim] })
  }
  lines.push({ task: 'report', delay_ms: 0, text: '## Answer\n\nNumbers [C1.1].\n' })
  const script = join(home, `${name}.jsonl`)
  const plan = join(home, `${name}.plan.json`)
  writeFileSync(script, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const parts = Array.from({ length: tasks }, (_, i) => ({
    objective: `number of document ${i}`,
    terms: [`n${i}`],
  }))
  writeFileSync(plan, JSON.stringify({ tasks: parts }))
  return ['--model', `script:${script}`, '--plan', plan]
}

/**
 * Returns the memory of a process and its descendants in KiB: their proportional set size, in which a page that
 * several processes share counts once.
 */
function memoryOf(root) {
  const parents = new Map()
  const sizes = new Map()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      parents.set(pid, /^PPid:\s+(\d+)/m.exec(status)?.[1])
      sizes.set(pid, `/proc/${pid}/smaps_rollup`)
    } catch {
      // the process has ended meanwhile
    }
  }
  const belongs = (pid) => pid === `${root}` || (parents.has(pid) && belongs(parents.get(pid)))
  return [...sizes].reduce((sum, [pid, file]) => sum + (belongs(pid) ? pssOf(file) : 0), 0)
}

/** Returns the proportional set size in KiB that a file of `/proc` states; 0 once the process has ended. */
function pssOf(file) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Runs a command. Resolves to its wall time, its processor time with all descendants, and its peak memory. */
async function runMeasured(words, { cwd, home, env = {} }) {
  const began = performance.now()
  const shell = ['-c', '"$@"; code=$?; times >&2; exit $code', 'bash', ...words]
  const options = {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  }
  const child = spawnOwned('bash', shell, options)
  const text = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    text.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    text.err += chunk
  })
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(child.pid))
  }, 250)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearInterval(timer)
  const times = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(text.err) ?? []
  const [, um, us, sm, ss] = times.map(Number)
  const wall = performance.now() - began
  return { ...text, code, wall, cpu: (um + sm) * 60_000 + (us + ss) * 1000, peakMiB: peak / 1024 }
}

function demandEnd({ code, err }, ...codes) {
  if (!codes.includes(code)) throw new Error(`ended with ${code}: ${err.slice(-600)}`)
}

/** 1,000 tasks on 256 slots, compared with the time that the responses alone take. */
async function measureThousand({ anode, home, work, statement }) {
  const [tasks, slots, replies, delayMs] = [1000, 256, 2, Number(process.env.BENCH_REPLY_MS ?? 8000)]
  const flags = prepareTasks({ home, name: 'thousand', tasks, replies, delayMs, statement })
  const words = [...anode, 'study', 'which numbers?', '--quiet', '--workers', `${slots}`, ...flags]
  const run = await runMeasured(words, { cwd: work, home })
  demandEnd(run, 0, 3, 5)
  const floor = Math.ceil(tasks / slots) * replies * delayMs
  const ratio = run.wall / floor
  const what = `${tasks} tasks on ${slots} slots, ${seconds(delayMs)} a reply`
  return [
    {
      what,
      floor: seconds(floor),
      ours: seconds(run.wall),
      ratio: ratio.toFixed(2),
      goal: '<= 1.5',
      met: ratio <= 1.5,
    },
    {
      what: `${what}: peak memory of all processes (PSS)`,
      floor: '',
      ours: `${run.peakMiB.toFixed(0)} MiB`,
      ratio: '',
      goal: '<= 1536 MiB',
      met: run.peakMiB <= 1536,
    },
  ]
}

/** Processor time of 32 tasks in worker processes, compared with loops in one process. */
async function measureProcesses({ anode, home, work, statement }) {
  const flags = prepareTasks({ home, name: 'cpu', tasks: 32, replies: 3, delayMs: 200, statement })
  const words = [...anode, 'study', 'which numbers?', '--quiet', '--workers', '32', ...flags]
  const one = await runMeasured([...words, '--in-process'], { cwd: work, home })
  const many = await runMeasured(words, { cwd: work, home })
  for (const run of [one, many]) demandEnd(run, 0, 3, 5)
  const ratio = many.cpu / one.cpu
  return {
    what: '32 tasks in worker processes: processor time',
    floor: seconds(one.cpu),
    ours: seconds(many.cpu),
    ratio: ratio.toFixed(2),
    goal: '<= 2 x in one process',
    met: ratio <= 2,
  }
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Runs `work` with a Redis server. Returns its result, or undefined without redis-server. */
async function withServer({ home }, name, work) {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined
  const port = await freePort()
  const dir = join(home, name)
  mkdirSync(dir)
  const rules = ['--port', `${port}`, '--dir', dir, '--appendonly', 'yes', '--maxmemory-policy', 'noeviction']
  const server = spawnOwned('redis-server', [...rules, '--appendfsync', 'always'], { stdio: 'ignore' })
  const ask = (...words) => spawnSync('redis-cli', ['-p', `${port}`, ...words], { encoding: 'utf8' }).stdout
  try {
    while (!ask('ping').includes('PONG')) await sleep(50)
    return await work(`redis://127.0.0.1:${port}`, ask)
  } finally {
    await endOwned(server)
  }
}

/** Commands of a Redis server for each of 32 tasks. */
const measureCommands = ({ anode, home, work, statement }) =>
  withServer({ home }, 'redis', async (url, ask) => {
    const tasks = 32
    const flags = prepareTasks({ home, name: 'commands', tasks, replies: 4, delayMs: 1000, statement })
    const place = ['--workers', '8', '--engine', url]
    ask('config', 'resetstat')
    const run = await runMeasured([...anode, 'study', 'which numbers?', '--quiet', ...place, ...flags], {
      cwd: work,
      home,
    })
    demandEnd(run, 0, 3, 5)
    const stats = ask('info', 'commandstats')
    const calls = [...stats.matchAll(/calls=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
    const each = calls / tasks
    return {
      what: 'commands of a Redis server for a task of four replies',
      floor: '922',
      ours: each.toFixed(0),
      ratio: (each / 922).toFixed(2),
      goal: '<= 0.60',
      met: each <= 0.6 * 922,
    }
  })

const words = 'store lock file crash journal lease worker claim quote reader thread budget deadline'.split(
  ' ',
)

/** Writes files of 1 MiB with sentences that hardly repeat. */
function writeCorpus(dir, mebibytes) {
  mkdirSync(dir)
  let seed = 1
  const next = () => {
    seed = (seed * 48271) % 2147483647
    return seed
  }
  for (let i = 0; i < mebibytes; i++) {
    const file = openSync(join(dir, `text-${i}.md`), 'w')
    for (let size = 0; size < 1 << 20; ) {
      const sentence = Array.from({ length: 12 }, () => words[next() % words.length]).join(' ')
      size += writeSync(file, `The ${sentence} ${next() % 1000}.\n\n`)
    }
    closeSync(file)
  }
  writeFileSync(join(dir, 'limit.md'), '# Limits\n\nThe longest pause of the ferry is 417 minutes.\n')
}

/** Returns what a report found, without its times and ids, and without the number of its workers. */
function findingsOf(text) {
  const { outcome, coverage, claims, sections, sources, gaps } = JSON.parse(text)
  return JSON.stringify({ outcome, coverage, claims, sections, sources, gaps })
}

/** Reading of a large corpus by one reader and by several. */
async function measureReaders({ anode, home }) {
  const size = Number(process.env.BENCH_READ_MB ?? 250)
  const cores = Math.min(4, availableParallelism())
  const dir = join(home, 'large')
  writeCorpus(dir, size)
  const ask = async (readers) => {
    // its words occur in most sentences, so that reading takes long enough to be split
    const question = 'How long is the deadline of a worker with a lease?'
    const flags = ['--workers', `${readers}`, '--model', 'builtin/extract', '--json', '--quiet']
    const run = await runMeasured([...anode, 'study', question, ...flags], { cwd: dir, home })
    demandEnd(run, 0, 3)
    return run
  }
  const one = await ask(1)
  const many = await ask(cores)
  const ratio = many.wall / one.wall
  const limit = cores >= 4 ? 0.45 : 0.65
  const isEqual = findingsOf(one.out) === findingsOf(many.out)
  const row = { floor: seconds(one.wall), ours: seconds(many.wall), ratio: ratio.toFixed(2) }
  const what = `${size} MB without a model, ${cores} readers, ${isEqual ? 'equal' : 'OTHER'} bytes`
  return { what, ...row, goal: `<= ${limit} x one reader`, met: isEqual && ratio <= limit }
}

/** Returns the rows. BENCH_ONLY=readers,commands selects some of them. */
export async function scaleRows(place) {
  const only = process.env.BENCH_ONLY?.split(',')
  const rows = []
  for (const [name, measure] of Object.entries({
    thousand: measureThousand,
    processes: measureProcesses,
    commands: measureCommands,
    limit: (all) => withServer(all, 'redis-limit', (url) => measureLimit(all, url)),
    kill: measureKill,
    readers: measureReaders,
    claims: claimRows,
  })) {
    if (only && !only.includes(name)) continue
    const measured = await measure(place)
    if (measured === undefined) process.stderr.write(`not measured: ${name}: redis-server is not installed\n`)
    else
      rows.push(
        ...[measured].flat().map((row) => ({ ...row, what: `${row.what}; load ${loadavg()[0].toFixed(1)}` })),
      )
  }
  return rows
}
