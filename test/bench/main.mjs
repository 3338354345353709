// `npm run bench`: start, tools, search and store compared with their minimum. Prints a table and writes
// test/bench/latest.json.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, once, pair, peak, writeRows } from './measure.mjs'
import { renderRows } from './render.mjs'
import { searchRows } from './search.mjs'
import { storeRows } from './store.mjs'

// writing a gigabyte takes minutes; BENCH_STORE_MB=1000 sets it
process.env.BENCH_STORE_MB ??= '200'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const anode = [process.execPath, join(root, 'dist', 'anode.cjs')]
const runs = Number(process.env.BENCH_RUNS ?? 11)
const home = mkdtempSync(join(tmpdir(), 'anode-bench-'))
const floor = { cmd: [process.execPath, '-e', '0'], cwd: root }
const ms = (value) => `${value.toFixed(0)} ms`
const rows = []

const add = (row) => {
  rows.push(row)
  process.stderr.write(`${row.met ? 'ok    ' : 'MISSED'} ${row.what}: ${row.ours} (${row.ratio})\n`)
}

async function ratio(what, args, goal) {
  const ours = { cmd: [...anode, ...args], cwd: root }
  const time = await pair(floor, ours, runs, home)
  const times = time.ours / time.floor
  add({
    what,
    floor: ms(time.floor),
    ours: ms(time.ours),
    ratio: `${times.toFixed(2)} x`,
    goal: `<= ${goal} x`,
    met: times <= goal,
  })
}

async function memory(what, args, goal) {
  const used = await peak({ cmd: [...anode, ...args], cwd: root }, home)
  const bare = await peak(floor, home)
  add({
    what: `${what}, peak memory`,
    floor: `${bare.toFixed(0)} MiB`,
    ours: `${used.toFixed(0)} MiB`,
    ratio: `${(used / bare).toFixed(2)} x`,
    goal: `<= ${goal} MiB`,
    met: used <= goal,
  })
}

/** Measures 1,000 reads of small files by one process, without its start. */
async function batch() {
  const dir = mkdtempSync(join(tmpdir(), 'anode-batch-'))
  mkdirSync(join(dir, 'small'))
  const lines = []
  for (let i = 0; i < 1000; i++) {
    writeFileSync(join(dir, 'small', `${i}.txt`), `file ${i}\nline two\n`)
    lines.push(JSON.stringify({ tool: 'read', args: { path: `small/${i}.txt` } }))
  }
  const times = []
  for (let i = 0; i < 5; i++) {
    const one = await once({ cmd: [...anode, 'tools', 'batch'], cwd: dir, input: `${lines[0]}\n` }, home)
    const all = await once(
      { cmd: [...anode, 'tools', 'batch'], cwd: dir, input: `${lines.join('\n')}\n` },
      home,
    )
    times.push(all - one)
  }
  rmSync(dir, { recursive: true })
  const rate = 999 / (median(times) / 1000)
  add({
    what: 'tools batch, reads',
    floor: '-',
    ours: `${rate.toFixed(0)} a second`,
    ratio: '-',
    goal: '>= 3000 a second',
    met: rate >= 3000,
  })
}

/**
 * Measures the start of a command in the sandbox among 1,000 files, by calls of one process without its
 * start.
 */
async function walls() {
  const dir = mkdtempSync('/var/tmp/anode-walls-')
  mkdirSync(join(dir, 'small'))
  for (let i = 0; i < 1000; i++) writeFileSync(join(dir, 'small', `${i}.txt`), `file ${i}\n`)
  const line = '{"tool":"bash","args":{"command":"true"}}\n'
  const calls = 20
  const each = async (sandbox) => {
    const cmd = [...anode, 'tools', 'batch', '--allow-non-read', '--sandbox', sandbox]
    const first = await once({ cmd, cwd: dir, input: line }, home)
    return ((await once({ cmd, cwd: dir, input: line.repeat(calls + 1) }, home)) - first) / calls
  }
  const found = { node: [], without: [], walled: [] }
  for (let i = 0; i < 5; i++) {
    found.node.push(await once(floor, home))
    found.without.push(await each('off'))
    found.walled.push(await each('auto'))
  }
  rmSync(dir, { recursive: true })
  const [node, without, walled] = [found.node, found.without, found.walled].map(median)
  const more = (walled - without) / node
  add({
    what: 'bash behind the wall, beside bash without',
    floor: ms(without),
    ours: ms(walled),
    ratio: `+${more.toFixed(2)} x node -e 0`,
    goal: '<= +1 x',
    met: more <= 1,
  })
}

try {
  await ratio('--version', ['--version'], 1.25)
  await ratio('--help', ['--help'], 1.5)
  await ratio('tools use --help', ['tools', 'use', '--help'], 3.5)
  await ratio('tools use read', ['tools', 'use', 'read', '--arg', 'path=package.json'], 1.6)
  await memory('tools use read', ['tools', 'use', 'read', '--arg', 'path=package.json'], 55)
  await ratio('tools list', ['tools', 'list'], 2)
  await batch()
  await walls()
  for (const row of await searchRows({ anode, runs, home })) add(row)
  for (const row of await renderRows({ anode, runs, home })) add(row)
  for (const row of await storeRows()) add(row)
} finally {
  rmSync(home, { recursive: true, force: true })
}
writeRows('latest.json', runs, rows)
