// `npm run bench:study`: the cost of workers without their model, with scripted responses of one second, and
// the results of the extractor in the second suite. Prints a table and writes test/bench/study.json.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { draw, median, once, pair } from './measure.mjs'
import { createOwnedDirectory } from './owned.mjs'
import { scaleRows } from './study-scale.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const runs = Number(process.env.BENCH_RUNS ?? 3)
const home = createOwnedDirectory('anode-bench-study-')
const work = join(home, 'work')
const rows = []
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`

mkdirSync(work)
/** A whole line, because a shorter quote would not support a claim. */
const statement = (i) => `The number of this document is ${i}.`
for (let i = 0; i < 40; i++) writeFileSync(join(work, `doc-${i}.md`), `# Document ${i}\n\n${statement(i)}\n`)

const words = 'alpha beta gamma delta epsilon zeta eta theta'.split(' ')

/** Returns rows for both halves of the second suite: recall compared with BM25, and the ends of studies. */
function measureSuite() {
  const words = ['study', 'eval', '--suite', 'second', '--model', 'builtin/extract', '--in-process']
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist', 'anode.cjs'), ...words, '--json', '--quiet'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 },
  )
  if (stdout === '') throw new Error(`the suite was not run: ${stderr}`)
  const { halves, skipped } = JSON.parse(stdout)
  for (const { corpus, why } of skipped) process.stderr.write(`not asked: ${corpus}: ${why}\n`)
  const share = (part, whole) => (whole === 0 ? 'none' : (part / whole).toFixed(2))
  return Object.entries(halves).flatMap(([half, { study, paragraphs }]) => {
    const recall = study.found / study.facts
    const more = recall - paragraphs.found / paragraphs.facts
    const row = (what, floor, ours, ratio, goal, met) => ({
      what: `${half} half: ${what}`,
      floor,
      ours,
      ratio,
      goal,
      met,
    })
    return [
      row(
        'recall, beside plain BM25',
        share(paragraphs.found, paragraphs.facts),
        share(study.found, study.facts),
        more.toFixed(2),
        '>= 0.60, 0.15 more',
        recall >= 0.6 && more >= 0.15,
      ),
      row(
        'unanswerable named',
        '',
        share(study.named, study.unanswerable),
        '',
        '>= 0.70',
        study.named / study.unanswerable >= 0.7,
      ),
      row(
        'ended well without a fact',
        '',
        share(study.doneEmpty, study.done),
        '',
        '<= 0.05',
        study.doneEmpty <= 0.05 * study.done,
      ),
    ]
  })
}

/**
 * Returns rows for a suite over repositories of others, compared with plain BM25. `ANODE_CHECKOUT` names a
 * directory with clones of them; without it, returns one row that says why nothing was measured.
 */
function measureForeign(name) {
  const checkout = process.env.ANODE_CHECKOUT
  const row = (what, floor, ours, goal, met) => ({
    what: `${name}: ${what}`,
    floor,
    ours,
    ratio: '',
    goal,
    met,
  })
  if (checkout === undefined)
    return [
      row('skipped: set ANODE_CHECKOUT to a directory with clones of its repositories', '', '', '', true),
    ]
  const words = [
    'study',
    'eval',
    join(root, 'test', 'bench', 'suites', `${name}.jsonl`),
    '--checkout',
    checkout,
  ]
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'dist', 'anode.cjs'),
      ...words,
      '--model',
      'builtin/extract',
      '--in-process',
      '--json',
      '--quiet',
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 },
  )
  if (stdout === '') return [row(`skipped: ${stderr.trim().split('\n')[0]}`, '', '', '', true)]
  const { study: of, paragraphs, asked, skipped } = JSON.parse(stdout)
  for (const { corpus, why } of skipped) process.stderr.write(`not asked: ${corpus}: ${why}\n`)
  const share = (part, whole) => (whole === 0 ? 0 : part / whole)
  const least = (what, floor, part, whole, goal) =>
    row(what, floor, share(part, whole).toFixed(2), `>= ${goal.toFixed(2)}`, share(part, whole) >= goal)
  const at = (what, part, whole, goal) =>
    row(what, '', share(part, whole).toFixed(2), `<= ${goal.toFixed(2)}`, share(part, whole) <= goal)
  return [
    least('recall', share(paragraphs.found, paragraphs.facts).toFixed(2), of.found, of.facts, 0.65),
    least(
      'first quote right',
      share(paragraphs.first, of.answerable).toFixed(2),
      of.first,
      of.answerable,
      0.5,
    ),
    at('wrong, but done', of.doneEmpty, asked, 0.04),
    least('right and done', '', of.doneRight, of.answerable, 0.5),
    least('unanswerable named', '', of.named, of.unanswerable, 0.85),
    at('unanswerable quoted', of.quoted, of.unanswerable, 0.15),
  ]
}

/** Returns tasks with four responses each: three with a call, one with the claim. */
function prepare(name, tasks, delay) {
  const replies = tasks.flatMap((_, i) => {
    const task = `t${i + 1}`
    const pause = { task, delay_ms: delay }
    return [
      { ...pause, calls: [{ name: 'read', args: { path: `doc-${i}.md` } }] },
      { ...pause, calls: [{ name: 'grep', args: { pattern: `document ${i}` } }] },
      { ...pause, calls: [{ name: 'glob', args: { pattern: `doc-${i}*` } }] },
      { ...pause, claims: [{ text: statement(i), evidence: `E${i + 1}.1`, quote: statement(i) }] },
    ]
  })
  replies.push({
    task: 'report',
    delay_ms: delay,
    text: `## Answer\n\nNumbers [${tasks.map((_, i) => `C${i + 1}.1`).join(', ')}].\n`,
  })
  writeFileSync(join(home, `${name}.jsonl`), replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  writeFileSync(
    join(home, `${name}.plan.json`),
    JSON.stringify({ tasks: tasks.map((objective) => ({ objective })) }),
  )
}

const study = (name, workers, ...more) => ({
  cmd: [
    process.execPath,
    join(root, 'dist', 'anode.cjs'),
    ...['study', 'which numbers?', '--quiet', '--workers', String(workers)],
    ...['--model', `script:${join(home, `${name}.jsonl`)}`, '--plan', join(home, `${name}.plan.json`)],
    ...more,
  ],
  cwd: work,
})

const place = { anode: [process.execPath, join(root, 'dist', 'anode.cjs')], home, work, statement }

/** Measures workers whose replies take one second, and a study without a model. */
async function measureWorkers() {
  prepare('one', words.slice(0, 1), 1000)
  prepare('eight', words, 1000)
  prepare('four', words.slice(0, 4), 1000)
  const eight = await pair(study('one', 1), study('eight', 8), runs, home)
  const ratio = eight.ours / eight.floor
  rows.push({
    what: '8 workers with a task each, 1 s a reply',
    floor: seconds(eight.floor),
    ours: seconds(eight.ours),
    ratio: ratio.toFixed(2),
    goal: '<= 1.30 x one worker, one task',
    met: ratio <= 1.3,
  })
  // a plan for one worker has one task, so four tasks in sequence are four studies
  const single = await once(study('one', 1), home)
  const four = []
  for (let i = 0; i < runs; i++) four.push(await once(study('four', 4), home))
  const share = median(four) / (4 * single)
  rows.push({
    what: '4 workers on 4 tasks, 1 s a reply',
    floor: seconds(4 * single),
    ours: seconds(median(four)),
    ratio: share.toFixed(2),
    goal: '<= 0.40 x one worker in a row',
    met: share <= 0.4,
  })
  const extract = {
    cmd: [
      process.execPath,
      join(root, 'dist', 'anode.cjs'),
      'study',
      'What is the number of a document, and what is its title?',
      '--quiet',
      '--model',
      'builtin/extract',
    ],
    cwd: work,
    exit: 0,
  }
  const node = await pair(
    { cmd: [process.execPath, '-e', '0'], cwd: work },
    { ...extract, exit: 0 },
    runs,
    home,
  ).catch(() => pair({ cmd: [process.execPath, '-e', '0'], cwd: work }, { ...extract, exit: 3 }, runs, home))
  rows.push({
    what: 'a whole study of 40 documents, builtin/extract',
    floor: seconds(node.floor),
    ours: seconds(node.ours),
    ratio: (node.ours / node.floor).toFixed(1),
    goal: '< 20 s',
    met: node.ours < 20_000,
  })
  rows.push(...measureSuite())
  for (const name of ['tuned', 'unseen']) rows.push(...measureForeign(name))
}

try {
  if (process.env.BENCH_ONLY === undefined) await measureWorkers()
  rows.push(...(await scaleRows(place)))
} finally {
  rmSync(home, { recursive: true, force: true })
}
process.stdout.write(`${draw(rows)}\n`)
if (process.env.BENCH_ONLY === undefined)
  writeFileSync(join(root, 'test', 'bench', 'study.json'), `${JSON.stringify(rows, null, 2)}\n`)
