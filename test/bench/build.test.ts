// The benchmark of builds in its short form: what it prints, and the checkout of the user after its builds.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../support/scratch.ts'
import { root } from '../support/sources.ts'

interface Row {
  what: string
  ours: string | number
  goal: string
  met: boolean
}

/** Rows of the table, with the form of their figures. A figure that no speed changes is given whole. */
const rows: [what: string, ours: RegExp, goal: RegExp][] = [
  ['3 tasks, 4 workers, pairs in conflict: 1', /^3 merged, 0 at once, [1-9]\d* reopened$/, /^3 merged/],
  ['kill -9, places: 2', /^2 resumed, 0 steps paid twice, 0 worktrees left$/, /^2 resumed, 0 paid/],
  ['agents of 3 to 6 s: 1, 4 workers: wall time', /^\d+\.\d\d s$/, /^<= \d+\.\d\d s \(1\.3 x floor/],
  ['CPU of a task, 100 files', /^\d+\.\d\d s$/, /^<= 1\.00 s$/],
  ['start of a worker, 100 files', /^\d+ ms$/, /^<= 300 ms$/],
  ['checkout of the user', /^same bytes$/, /^same bytes$/],
  ['new references', /^3$/, /^1 of each build$/],
]

test('measures builds, and keeps the bytes of the checkout', { timeout: 300_000 }, () => {
  const out = join(scratch(), 'build.json')
  const ran = spawnSync(process.execPath, [join(root, 'test/bench/build.mjs')], {
    encoding: 'utf8',
    env: { ...process.env, BENCH_SHORT: '1', BENCH_OUT: out },
  })
  expect(ran.status, ran.stderr).toBe(0)
  const written = JSON.parse(readFileSync(out, 'utf8')) as { machine: object; rows: Row[] }
  expect(Object.keys(written.machine)).toEqual(['node', 'platform', 'cpus', 'model'])
  expect(written.rows.map(({ what }) => what)).toEqual(rows.map(([what]) => what))
  for (const [i, [what, ours, goal]] of rows.entries()) {
    const row = written.rows[i]
    expect(String(row?.ours), what).toMatch(ours)
    expect(row?.goal, what).toMatch(goal)
    expect(ran.stdout, what).toContain(`${what} `)
  }
})
