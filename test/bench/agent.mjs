// `npm run bench:agent`: the cost of a run without its model, with a scripted server in a separate process.
// Prints a table and writes test/bench/agent.json.
import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, once, pair, peak, writeRows } from './measure.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const runs = Number(process.env.BENCH_RUNS ?? 11)
const home = mkdtempSync(join(tmpdir(), 'anode-bench-agent-'))
const work = join(home, 'work')
const floor = { cmd: [process.execPath, '-e', '0'], cwd: root }
const rows = []
const ms = (value) => `${value.toFixed(value < 20 ? 2 : 0)} ms`
const mib = (value) => `${value.toFixed(0)} MiB`

const add = (row) => {
  rows.push({ floor: '-', ratio: '-', ...row })
  process.stderr.write(`${row.met ? 'ok    ' : 'MISSED'} ${row.what}: ${row.ours} (${row.ratio ?? '-'})\n`)
}

mkdirSync(work)
writeFileSync(join(work, 'small.txt'), Array.from({ length: 200 }, (_, i) => `line ${i}\n`).join(''))
const server = fork(join(root, 'test', 'bench', 'model.mjs'), {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
const port = await new Promise((resolve, reject) => {
  server.once('message', resolve)
  server.once('exit', (code) => reject(new Error(`the model server ended with ${code}`)))
})
const base = `http://127.0.0.1:${port}`
mkdirSync(join(home, '.config', 'anode'), { recursive: true })
writeFileSync(
  join(home, '.config', 'anode', 'config.json'),
  JSON.stringify({
    model: 'openai/bench',
    providers: Object.fromEntries(
      [['openai', 'chat'], ...['messages', 'responses'].map((format) => [format, format])].map(
        ([name, apiFormat]) => [name, { baseUrl: `${base}/v1`, apiKey: 'bench', apiFormat, window: 1e6 }],
      ),
    ),
  }),
  { mode: 0o600 },
)

const setPlan = (plan) =>
  fetch(`${base}/plan`, { method: 'POST', body: JSON.stringify({ delay: 0, ...plan }) })
const requests = async () => {
  const seen = await (await fetch(`${base}/seen`)).json()
  const failed = seen.find((one) => one.failed)
  if (failed) throw new Error(`a call failed: ${failed.failed}`)
  return seen
}
const execute = (...more) => ({
  cmd: [process.execPath, join(root, 'dist', 'anode.cjs'), 'execute', 'go', '--quiet', ...more],
  cwd: work,
})

/**
 * Runs `turns` turns. Returns the milliseconds between the end of each response and the next request, as the
 * server measures them.
 */
async function gaps(kind, turns, ...more) {
  await setPlan({ kind, turns })
  await once(execute('--max-turns', String(turns + 1), '--approval', 'unrestricted', ...more), home)
  const seen = await requests()
  if (seen.length !== turns + 1) throw new Error(`${seen.length} requests instead of ${turns + 1}`)
  return seen.slice(1).map(({ came }, i) => came - seen[i].ended)
}

async function start() {
  await setPlan({ kind: 'text', turns: 0 })
  const time = await pair(floor, execute(), runs, home)
  const times = time.ours / time.floor
  const what = 'one-turn headless run'
  add({
    what,
    floor: ms(time.floor),
    ours: ms(time.ours),
    ratio: `${times.toFixed(2)} x`,
    goal: '<= 3.2 x',
    met: times <= 3.2,
  })
  const bare = await peak(floor, home)
  const used = await peak(execute(), home)
  add({ what: `${what}, peak memory`, floor: mib(bare), ours: mib(used), goal: '<= 80 MiB', met: used <= 80 })
}

async function turns() {
  // in the sandbox a command may take one start of Node more, as in main.mjs
  const wall = await once(floor, home)
  for (const [kind, goal, what, ...more] of [
    ['read', 2, 'read'],
    ['bash', 12, 'bash without a wall', '--sandbox', 'off'],
    ['bash', 12 + wall, 'bash, behind the wall where there is one'],
  ]) {
    for (const count of kind === 'read' ? [1, 20, 100] : [20]) {
      const own = []
      const repeats = count === 100 ? 3 : count === 1 ? runs : 5
      for (let i = 0; i < repeats; i++) own.push(...(await gaps(kind, count, ...more)))
      const p50 = median(own)
      add({
        what: `own time per turn, ${what}, ${count} turns, p50`,
        ours: ms(p50),
        goal: `<= ${ms(goal)}`,
        met: p50 <= goal,
      })
      if (count !== 100) continue
      const early = median(own.filter((_, i) => i % 100 >= 1 && i % 100 < 21))
      const late = median(own.filter((_, i) => i % 100 >= 80))
      const grows = late / early
      add({
        what: 'own time, last 20 turns against turns 2 to 21',
        floor: ms(early),
        ours: ms(late),
        ratio: `${grows.toFixed(2)} x`,
        goal: '<= 1.25 x',
        met: grows <= 1.25,
      })
    }
  }
}

/** Returns for each wire format the cached share of the prompts of 100 turns, and the time of a turn. */
async function wires() {
  for (const format of ['chat', 'responses', 'messages']) {
    const model = ['--model', `${format === 'chat' ? 'openai' : format}/bench`]
    const own = []
    for (let i = 0; i < 3; i++) own.push(...(await gaps('read', 100, ...model)))
    const p50 = median(own)
    const goal = 2
    add({
      what: `own time per turn over ${format}, read, 100 turns, p50`,
      ours: ms(p50),
      goal: `<= ${ms(goal)}`,
      met: p50 <= goal,
    })
    await setPlan({ kind: 'read', turns: 100, format })
    await once(execute('--max-turns', '101', ...model), home)
    const sum = { read: 0, all: 0 }
    for (const { kept } of (await requests()).slice(1)) {
      sum.read += kept.read
      sum.all += kept.all
    }
    const share = sum.read / sum.all
    add({
      what: `prompt read from the cache over ${format}, 100 turns`,
      ours: `${(100 * share).toFixed(1)} %`,
      goal: '>= 95 %',
      met: share >= 0.95,
    })
  }
}

/**
 * Returns the same for a run that loads two deferred tools. No request may change the text of an earlier one.
 */
async function deferred() {
  const turns = 20
  for (const format of ['chat', 'responses', 'messages']) {
    const model = ['--model', `${format === 'chat' ? 'openai' : format}/bench`]
    await setPlan({ kind: 'deferred', turns, format })
    await once(execute('--max-turns', String(turns + 1), '--approval', 'unrestricted', ...model), home)
    const seen = await requests()
    if (seen.length !== turns + 1) throw new Error(`${seen.length} requests instead of ${turns + 1}`)
    const sum = (part) => seen.slice(1).reduce((all, { kept }) => all + kept[part], 0)
    const share = sum('read') / sum('all')
    const changed = seen.slice(1).filter(({ kept }) => kept.isChanged).length
    add({
      what: `prompt read from the cache over ${format}, ${turns} turns that load two deferred tools`,
      ours: `${(100 * share).toFixed(1)} %, ${changed} requests changed before the last message`,
      goal: '>= 95 %, 0 requests',
      met: share >= 0.95 && changed === 0,
    })
  }
}

/** Returns the tokens (o200k) of the first request, by part and by tool. */
async function prompt() {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  for (const [profile, goal, toolset] of [
    ['quick', 2600],
    ['craft', 7000],
    ['propose', 2000],
    ['craft', 1200, 'ah'],
    ['craft', 3800, 'hooman'],
    ['craft', 7000, 'swarmie'],
    ['craft', 2600, 'researchharness'],
  ]) {
    await setPlan({ kind: 'text', turns: 0 })
    const flags = toolset ? ['--toolset', toolset] : []
    await once(execute('--profile', profile, ...flags), home)
    const [{ first }] = await requests()
    const { tools, messages } = JSON.parse(first)
    const size = (value) => countTokens(JSON.stringify(value))
    const system = size(messages[0].content)
    const what = `first request, profile ${profile}${toolset ? `, toolset ${toolset}` : ''}`
    const total = countTokens(first)
    add({
      what: `${what}, ${tools.length} tools`,
      ours: `${total} tokens`,
      goal: `<= ${goal} tokens`,
      met: total <= goal,
    })
    add({ what: `${what}, system`, ours: `${system} tokens`, goal: '<= 900 tokens', met: system <= 900 })
    add({ what: `${what}, tools`, ours: `${size(tools)} tokens`, goal: '-', met: true })
    const byTool = tools.map((tool) => `${tool.function.name} ${size(tool)}`)
    process.stderr.write(`       ${byTool.join(', ')}\n`)
  }
}

async function memory() {
  const at = async (count) => {
    await setPlan({ kind: 'read', turns: count })
    return peak(execute('--max-turns', String(count + 1)), home)
  }
  const few = median([await at(1), await at(1), await at(1)])
  const many = median([await at(100), await at(100), await at(100)])
  add({
    what: 'peak memory at 100 turns',
    floor: mib(few),
    ours: mib(many),
    goal: '<= 100 MiB',
    met: many <= 100,
  })
  add({ what: 'growth from 1 to 100 turns', ours: mib(many - few), goal: '<= 10 MiB', met: many - few <= 10 })
}

/** Measures with a model that takes 300 ms for each response, as the fastest real ones do. */
async function children() {
  const time = async (count) => {
    await setPlan({ kind: 'children', turns: count, delay: 300 })
    return once(execute('--approval', 'unrestricted'), home)
  }
  const one = []
  const eight = []
  for (let i = 0; i < Math.min(runs, 9); i++) {
    one.push(await time(1))
    eight.push(await time(8))
  }
  const times = median(eight) / median(one)
  add({
    what: 'eight children at once against one',
    floor: ms(median(one)),
    ours: ms(median(eight)),
    ratio: `${times.toFixed(2)} x`,
    goal: '<= 1.1 x',
    met: times <= 1.1,
  })
}

const parts = { start, turns, wires, deferred, prompt, memory, children }
try {
  const wanted = process.argv.slice(2)
  for (const [name, part] of Object.entries(parts))
    if (wanted.length === 0 || wanted.includes(name)) await part()
} finally {
  server.disconnect()
  rmSync(home, { recursive: true, force: true })
}
writeRows('agent.json', runs, rows)
