// Measures whole processes in turn (A B A B …) with only PATH and HOME in their environment; medians and
// ratios.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnOwned } from './owned.mjs'

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Runs a process to its end. Resolves with its wall time in ms. Rejects if the exit code is not the expected
 * one.
 */
export function once({ cmd, cwd, input, exit = 0 }, home, extra = {}) {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, HOME: home, ...extra }
    const started = process.hrtime.bigint()
    const child = spawnOwned(cmd[0], cmd.slice(1), {
      cwd,
      env,
      stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stdout.resume()
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    if (input) child.stdin.end(input)
    child.on('error', reject)
    child.on('close', (code) => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6
      if (code === exit) resolve(ms)
      else reject(new Error(`${cmd.join(' ')} ended with ${code}: ${errors.slice(0, 400)}`))
    })
  })
}

/** Measures two commands in turn, after one warm-up each. */
export async function pair(floor, ours, runs, home) {
  await once(floor, home)
  await once(ours, home)
  const times = { floor: [], ours: [] }
  for (let i = 0; i < runs; i++) {
    times.floor.push(await once(floor, home))
    times.ours.push(await once(ours, home))
  }
  return { floor: median(times.floor), ours: median(times.ours) }
}

/** Returns the peak resident memory of one run in MiB, as the process reports it at its end. */
export async function peak(command, home) {
  const dir = mkdtempSync(join(tmpdir(), 'anode-peak-'))
  const hook = join(dir, 'peak.cjs')
  const out = join(dir, 'peak.txt')
  writeFileSync(
    hook,
    `process.on('exit',()=>require('fs').writeFileSync(${JSON.stringify(out)},String(process.resourceUsage().maxRSS)))`,
  )
  try {
    await once(command, home, { NODE_OPTIONS: `--require=${hook}` })
    return Number(readFileSync(out, 'utf8')) / 1024
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Returns rows of `what | floor | ours | ratio | goal` as text. */
export function draw(rows) {
  const cells = [
    ['what', 'floor', 'ours', 'ratio', 'goal', ''],
    ...rows.map((row) => [row.what, row.floor, row.ours, row.ratio, row.goal, row.met ? 'ok' : 'MISSED']),
  ].map((row) => row.map((cell) => String(cell ?? '')))
  const widths = cells[0].map((_, i) => Math.max(...cells.map((row) => row[i].length)))
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * Prints rows, and writes them with a description of the machine into a JSON file of this directory, or into
 * the file of BENCH_OUT.
 */
export function writeRows(name, runs, rows) {
  const machine = {
    node: process.version,
    platform: process.platform,
    cpus: cpus().length,
    model: cpus()[0]?.model,
  }
  const text = `${JSON.stringify({ machine, runs, rows }, null, 2)}\n`
  writeFileSync(process.env.BENCH_OUT ?? join(import.meta.dirname, name), text)
  process.stdout.write(`${draw(rows)}\n`)
}
