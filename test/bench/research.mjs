// `npm run bench:research`: how often the judge is wrong, simulated and on the gcc example, compared with one
// sample against one; and the cost of the engine per pair. BENCH_TRIALS sets the simulated experiments per
// row (2000), BENCH_SEED the seed (1), BENCH_CANDIDATES those of the real null test (30; 0 leaves it out).
// Writes test/bench/research.json.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { nullTest, pairCost } from './experiments.mjs'
import { draw } from './measure.mjs'

const trials = Number(process.env.BENCH_TRIALS ?? 2000)
const seed = Number(process.env.BENCH_SEED ?? 1)
const candidates = Number(process.env.BENCH_CANDIDATES ?? 30)
const noise = { sd: 0.09, tail: 0.08 }

const dir = mkdtempSync(join(tmpdir(), 'anode-bench-research-'))
try {
  const { simulate } = await load(join(dir, 'simulate.mjs'))
  const started = process.hrtime.bigint()
  const rows = []
  const pairs = {}
  // the power depends on the definition of a heavy tail, so both are shown
  for (const shape of ['slow', 'wide']) {
    const none = simulate({ seed, trials, effect: 0, ...noise, shape })
    const gain = simulate({ seed, trials, effect: -0.1, ...noise, shape })
    rows.push(
      row(`${shape} tail: no-op kept, no confirmation`, none, none.without, 'max', 4),
      row(`${shape} tail: no-op kept, with confirmation`, none, none.confirmed, 'max', 1),
      row(`${shape} tail: -10 % found, no confirmation`, gain, gain.without, 'min', 85),
      row(`${shape} tail: -10 % found, with confirmation`, gain, gain.confirmed, 'min', 65),
    )
    pairs[shape] = { none: round(none.pairs), gain: round(gain.pairs) }
  }
  const real = candidates > 0 ? nullTest(candidates) : undefined
  if (real) rows.push(realRow(real))
  const cost = pairCost(3)
  rows.push(costRow('processor time', cost, 'cpu'), costRow('wall time', cost, 'wall'))
  const seconds = Number(process.hrtime.bigint() - started) / 1e9
  const result = { node: process.version, seed, trials, noise, pairs, ...(real && { real }), rows }
  writeFileSync(
    fileURLToPath(new URL('research.json', import.meta.url)),
    `${JSON.stringify(result, null, 2)}\n`,
  )
  process.stdout.write(`${draw(rows)}\n`)
  process.stdout.write(
    `seed ${seed}, ${trials} trials a row, floor = one sample against one; ` +
      `pairs a verdict: ${JSON.stringify(pairs)}; ${seconds.toFixed(1)} s\n`,
  )
  if (rows.some((one) => !one.met)) process.exitCode = 1
} finally {
  rmSync(dir, { recursive: true, force: true })
}

function row(what, count, kept, bound, goal) {
  const share = (100 * kept) / count.trials
  const simple = (100 * count.naive) / count.trials
  return {
    what,
    floor: `${simple.toFixed(1)} %`,
    ours: `${share.toFixed(1)} %`,
    ratio: `${(share / simple).toFixed(2)} x`,
    goal: `${bound === 'max' ? '<=' : '>='} ${goal} %`,
    met: bound === 'max' ? share <= goal : share >= goal,
  }
}

/** At most 2 of 30 candidates that are the baseline may be kept. */
function realRow({ candidates, false_keeps, naive_keeps, floor_pct }) {
  const share = (kept) => `${kept} of ${candidates}`
  return {
    what: `gcc example: no-op kept, floor of noise ${floor_pct.toFixed(1)} %`,
    floor: share(naive_keeps),
    ours: share(false_keeps),
    ratio: naive_keeps === 0 ? '-' : `${(false_keeps / naive_keeps).toFixed(2)} x`,
    goal: `<= ${share(Math.floor(candidates / 15))}`,
    met: false_keeps <= Math.floor(candidates / 15),
  }
}

function costRow(what, { alone, engine }, key) {
  const own = engine[key] - alone[key]
  return {
    what: `engine per pair beside the command, ${what}`,
    floor: `${alone[key].toFixed(1)} ms`,
    ours: `${own.toFixed(1)} ms`,
    ratio: '-',
    goal: '<= 100 ms',
    met: own <= 100,
  }
}

function round(value) {
  return Math.round(value * 10) / 10
}

async function load(outfile) {
  const { build } = await import('esbuild')
  const entry = fileURLToPath(new URL('../internal/research/simulate.ts', import.meta.url))
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  return await import(pathToFileURL(outfile).href)
}
