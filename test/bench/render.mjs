// Measures the renderer: large tables, dashboards and dense graphs, as functions and as whole processes.
// Alone: node test/bench/render.mjs (needs dist/).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { draw, median, pair } from './measure.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const look = { width: 80, color: 0, unicode: true, ambiguous: 1, plain: false, all: true }
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`

/** Returns rows of `what | floor | ours | ratio | goal`. */
export async function renderRows({ anode, runs, home }) {
  const dir = mkdtempSync(join(tmpdir(), 'anode-bench-render-'))
  try {
    const { render, imported } = await load(dir)
    return [
      row('import of the renderer', imported, 40),
      ...pure(render),
      ...(await processes(dir, anode, runs, home)),
    ]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function row(what, ours, goal, floor = 0) {
  return {
    what: `render: ${what}`,
    floor: floor > 0 ? ms(floor) : '-',
    ours: ms(ours),
    ratio: floor > 0 ? `${(ours / floor).toFixed(2)} x` : '-',
    goal: `< ${goal} ms`,
    met: ours < goal,
  }
}

/** Returns the bundled renderer and the median time of its import, each time from a new file. */
async function load(dir) {
  const { build } = await import('esbuild')
  const times = []
  let module
  for (let i = 0; i < 5; i++) {
    const outfile = join(dir, `render-${i}.mjs`)
    const entry = join(root, 'internal', 'render', 'render.ts')
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    })
    const started = performance.now()
    module = await import(pathToFileURL(outfile).href)
    times.push(performance.now() - started)
  }
  return { render: module.render, imported: median(times) }
}

function pure(render) {
  const warm = (what, spec, goal, broken = false) => {
    const times = []
    for (let i = 0; i < 40; i++) {
      const started = performance.now()
      const { ok } = render(spec, look)
      times.push(performance.now() - started)
      if (ok === broken) throw new Error(`${what}: ${ok ? 'drawn' : 'refused'}`)
    }
    return row(what, median(times.slice(20)), goal)
  }
  return [
    warm('5,000 rows of 4 columns', table(), 200),
    warm('dashboard of 100 elements', dashboard(), 10),
    warm('1,000 elements', many(1000), 20),
    warm('10,000 elements refused', many(10_000), 100, true),
    warm('cycle of 1,000', chain(1000, ['n0']), 100, true),
    warm('chain of 1,000', chain(1000, []), 100, true),
    warm('doubling graph of 30 levels', doubling(30), 100, true),
  ]
}

async function processes(dir, anode, runs, home) {
  const floor = { cmd: [process.execPath, '-e', '0'], cwd: dir }
  const rows = []
  for (const [what, spec, goal] of [
    ['5,000 rows, whole process', table(), 500],
    ['dashboard of 100 elements, whole process', dashboard(), 200],
  ]) {
    const file = join(dir, `${rows.length}.json`)
    writeFileSync(file, JSON.stringify(spec))
    const time = await pair(floor, { cmd: [...anode, 'render', '--all', '-f', file], cwd: dir }, runs, home)
    rows.push(row(what, time.ours, goal, time.floor))
  }
  return rows
}

function table() {
  const columns = ['id', 'name', 'state', 'note'].map((key) => ({ header: key, key }))
  const rows = Array.from({ length: 5000 }, (_, i) => ({
    id: String(i),
    name: i % 3 ? `job number ${i}` : `漢字の仕事 ${i}`,
    state: i % 2 ? 'ok' : '失敗',
    note: `a longer note about row ${i}`,
  }))
  return { root: 't', elements: { t: { type: 'Table', props: { columns, rows } } } }
}

function many(count) {
  const elements = { root: { type: 'Box', props: { flexDirection: 'column' }, children: [] } }
  for (let i = 1; i < count; i++) {
    elements[`e${i}`] = { type: 'Text', props: { text: `text number ${i}` } }
    elements.root.children.push(`e${i}`)
  }
  return { root: 'root', elements }
}

function chain(length, last) {
  const elements = {}
  for (let i = 0; i < length; i++) {
    elements[`n${i}`] = { type: 'Box', props: {}, children: i < length - 1 ? [`n${i + 1}`] : last }
  }
  return { root: 'n0', elements }
}

function doubling(levels) {
  const elements = {}
  for (let i = 0; i < levels; i++) {
    const children = i < levels - 1 ? [`a${i + 1}`, `b${i + 1}`] : []
    for (const side of ['a', 'b']) elements[side + i] = { type: 'Box', props: {}, children }
  }
  return { root: 'a0', elements }
}

function dashboard() {
  const leaves = [
    { type: 'Text', props: { text: 'hello 漢字' } },
    { type: 'Metric', props: { label: 'stars', value: '3', trend: 'up' } },
    {
      type: 'BarChart',
      props: {
        data: [
          { label: 'a', value: 1 },
          { label: 'b', value: 3 },
        ],
      },
    },
    { type: 'Table', props: { columns: [{ header: 'a', key: 'a' }], rows: [{ a: '1' }, { a: '2' }] } },
    { type: 'ProgressBar', props: { progress: 0.4, label: 'done' } },
  ]
  const elements = { root: { type: 'Box', props: { flexDirection: 'column' }, children: [] } }
  for (let i = 0; i < 20; i++) {
    const children = [0, 1, 2, 3].map((k) => `leaf-${i}-${k}`)
    for (const [k, id] of children.entries()) elements[id] = leaves[(i + k) % leaves.length]
    const frame = i % 2 ? { type: 'Card', props: { title: `part ${i}` } } : { type: 'Box', props: { gap: 2 } }
    elements[`part-${i}`] = { ...frame, children }
    elements.root.children.push(`part-${i}`)
  }
  return { root: 'root', elements }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const home = mkdtempSync(join(tmpdir(), 'anode-bench-'))
  const anode = [process.execPath, join(root, 'dist', 'anode.cjs')]
  const rows = await renderRows({ anode, runs: Number(process.env.BENCH_RUNS ?? 11), home })
  rmSync(home, { recursive: true, force: true })
  process.stdout.write(`${draw(rows)}\n`)
}
