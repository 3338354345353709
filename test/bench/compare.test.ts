// The benchmark of comparisons in its short form: one A/A of each metric, and a change that is easy to find.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../support/scratch.ts'
import { root } from '../support/sources.ts'

const canBuild = spawnSync('cc', ['--version']).status === 0

test.skipIf(!canBuild)('measures false alarms, found changes and own cost', { timeout: 300_000 }, () => {
  const out = join(scratch(), 'compare.json')
  const env = {
    ...process.env,
    BENCH_COMPARISONS: '1',
    BENCH_EFFECTS: '60',
    BENCH_SECONDS: '40',
    BENCH_OUT: out,
  }
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'test/bench/compare.mjs')], {
    encoding: 'utf8',
    env,
  })
  expect(stdout, stderr).toMatch(/^3 comparisons, load /m)
  const { rows } = JSON.parse(readFileSync(out, 'utf8')) as { rows: { what: string; ours: string }[] }
  const of = (what: string) => rows.find((row) => row.what === what)?.ours
  expect(of('cheats called proven')).toMatch(/^0 of \d+$/)
  expect(of('+60 % CPU found')).toBe('1 of 1')
  expect(of('false alarms of A/A, CPU')).toBe('0 of 1')
  expect(of('own cost of an execution, clock')).toMatch(/^\d+\.\d ms$/)
})
