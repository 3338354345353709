// Comparisons over real repositories: sides, shared benchmarks, untouched checkouts, sides that cannot be measured.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { ComparisonOrder } from '../../../../internal/research/compare/comparison.ts'
import {
  type ComparisonService,
  findComparison,
  openComparisons,
} from '../../../../internal/research/compare/comparisons.ts'
import type { ResearchOptions } from '../../../../internal/research/session.ts'
import { git } from '../../../support/repo.ts'
import { env, type Lab, lab, refusal } from '../../../support/research.ts'
import { run } from '../../../support/run.ts'
import { scratch } from '../../../support/scratch.ts'

// every case starts dozens of processes, and other tests may be at work
vi.setConfig({ testTimeout: 120_000 })

const files = {
  'speed.txt': '100\n',
  'bench.sh': 'echo "METRIC ms=$(cat speed.txt)"\n',
  '.gitignore': 'ignored.txt\n',
}

/** The metric is a number without noise: a verdict takes 18 rounds, or 16 if it is the same. */
const order: ComparisonOrder = {
  command: 'bash bench.sh',
  metrics: [{ name: 'ms', direction: 'lower' }],
  benchFrom: 'base',
  minEffect: 0.01,
  margin: 0.02,
  budgetMs: 90_000,
  carry: [],
  env: [],
  seed: 1,
}

const openIn = (
  at: Pick<Lab, 'dir' | 'data'>,
  over: Partial<ResearchOptions> = {},
): Promise<ComparisonService> =>
  openComparisons({ cwd: at.dir, data: at.data, env, run, signal: new AbortController().signal, ...over })

async function compare(at: Pick<Lab, 'dir' | 'data'>, over: Partial<ComparisonOrder> = {}) {
  return (await openIn(at)).compare({ ...order, ...over })
}

/** Returns a repository with these changes committed one after the other. */
function history(...changes: Readonly<Record<string, string>>[]): Lab {
  const at = lab(files)
  for (const change of changes) {
    for (const [path, text] of Object.entries(change)) at.put(path, text)
    at.git('add', '-A')
    at.git('commit', '-q', '-m', 'next')
  }
  return at
}

/** Everything of a checkout that a comparison must leave alone. */
function stateOf(at: Lab) {
  const index = readFileSync(join(at.dir, '.git', 'index')).toString('base64')
  const refs = at.git('for-each-ref')
  return {
    index,
    refs,
    status: at.git('status', '--porcelain', '--ignored'),
    head: at.git('rev-parse', 'HEAD'),
  }
}

describe('two commits', () => {
  it('are a loss where head is slower, and everything of the user stays', async () => {
    const at = history({ 'speed.txt': '110\n' })
    at.put('speed.txt', 'not committed\n')
    at.put('new.txt', 'new\n')
    at.put('ignored.txt', 'ignored\n')
    at.git('add', 'new.txt')
    const before = stateOf(at)
    const found = await compare(at, { base: 'HEAD~1', head: 'HEAD' })
    expect(found).toMatchObject({ verdict: 'loss', measured: true, sealed: ['bench.sh'] })
    expect(found.metrics[0]).toMatchObject({ name: 'ms', base: 100, head: 110, confirmed: true, rounds: 18 })
    expect(found.metrics[0]?.pct).toBeCloseTo(10, 6)
    // a warm-up of each side, and three executions a round
    expect(found.executions).toBe(2 + 3 * 18)
    expect(stateOf(at)).toEqual(before)
    expect(at.read('speed.txt')).toBe('not committed\n')
    const stored = await (await openIn(at)).list()
    expect(stored).toEqual([found])
    expect(findComparison(stored, found.id)).toEqual(found)
    expect(() => findComparison(stored, '00000000')).toThrow('not found')
  })

  it('are the same, without a measurement, where no file differs', async () => {
    const at = history({ 'speed.txt': '110\n' }, { 'speed.txt': '100\n' })
    const found = await compare(at, { base: 'HEAD~2', head: 'HEAD' })
    expect(found).toMatchObject({ verdict: 'same', measured: false, executions: 0 })
  })
})

it('measures the working tree with untracked files against the default branch, from a subdirectory too', async () => {
  const at = history({
    'sub/bench.sh':
      'cat ../speed.txt ../more.txt 2>/dev/null | awk \'{ s += $1 } END { print "METRIC ms=" s }\'\n',
  })
  at.git('branch', '-M', 'main')
  at.git('checkout', '-q', '-b', 'work')
  at.put('more.txt', '50\n')
  const found = await compare({ dir: join(at.dir, 'sub'), data: at.data })
  expect(found.base.commit).toBe(at.git('rev-parse', 'main').trim())
  expect(found).toMatchObject({
    verdict: 'loss',
    head: { name: '.' },
    metrics: [{ base: 100, head: 150 }, { name: 'cpu_ms' }, { name: 'wall_ms' }, { name: 'max_rss_kb' }],
  })
})

describe('a benchmark that head has changed', () => {
  const cheat = { 'bench.sh': 'echo METRIC ms=1\n' }

  it('gains nothing', async () => {
    const only = await compare(history(cheat), { base: 'HEAD~1', head: 'HEAD' })
    expect(only).toMatchObject({ verdict: 'same', measured: false })
    // the other file that the command names is the same on both sides
    const command = 'bash bench.sh speed.txt'
    const named = await compare(history(cheat), { base: 'HEAD~1', head: 'HEAD', command })
    expect(named.sealed).toEqual(['bench.sh', 'speed.txt'])
    for (const { notes } of [only, named])
      expect(notes[0]).toMatch(/^the sides differ only in bench\.sh, which/)
    const more = history({ ...cheat, 'speed.txt': '110\n' })
    expect(await compare(more, { base: 'HEAD~1', head: 'HEAD' })).toMatchObject({
      verdict: 'loss',
      metrics: [{ base: 100, head: 110 }, {}, {}, {}],
    })
  })

  it('measures both sides with --bench-from head, and each with its own with each', async () => {
    const at = history({ ...cheat, 'speed.txt': '110\n' })
    const sides = { base: 'HEAD~1', head: 'HEAD' }
    expect(await compare(at, { ...sides, benchFrom: 'head' })).toMatchObject({
      verdict: 'same',
      metrics: [{ base: 1, head: 1 }, {}, {}, {}],
    })
    expect(await compare(at, { ...sides, benchFrom: 'each' })).toMatchObject({
      verdict: 'gain',
      metrics: [{ base: 100, head: 1 }, {}, {}, {}],
    })
  })

  it('stops the comparison where an execution writes to it', async () => {
    const at = history({ 'speed.txt': '110\n' })
    const command =
      'bash bench.sh; chmod u+w bench.sh 2>/dev/null; rm -f bench.sh; echo "METRIC x=1" >bench.sh'
    const found = await refusal(compare(at, { base: 'HEAD~1', head: 'HEAD', command }))
    // in a sandbox the write fails, without one it is found
    expect(['lock_violation', 'run_failed']).toContain(found)
  })
})

describe('several metrics', () => {
  it('come from the output of a benchmark tool, each judged alone', async () => {
    const report = (a: number, b: number) => `BenchmarkA-2 100 ${a} ns/op\nBenchmarkB-2 100 ${b} ns/op\n`
    const at = history({ 'go.txt': report(100, 200) }, { 'go.txt': report(120, 200) })
    const over = { base: 'HEAD~1', head: 'HEAD', command: 'cat ./go.txt', benchFrom: 'each' as const }
    const found = await compare(at, { ...over, metrics: [], format: 'go' })
    expect(found.metrics.map(({ name, verdict, decides }) => [name, verdict, decides])).toEqual([
      ['BenchmarkA', 'loss', true],
      ['BenchmarkB', 'same', true],
      ['cpu_ms', expect.any(String), false],
      ['wall_ms', expect.any(String), false],
      ['max_rss_kb', expect.any(String), false],
    ])
  })

  it('come from a file that this execution wrote, never from one of the tree', async () => {
    const at = history({ 'out.txt': 'METRIC ms=5\n' }, { 'speed.txt': '110\n' })
    const sides = { base: 'HEAD~1', head: 'HEAD', results: 'out.txt' }
    const old = compare(at, { ...sides, command: 'true' })
    await expect(old).rejects.toThrow('base cannot be measured: the command did not write out.txt')
    const found = await compare(at, { ...sides, command: 'bash bench.sh >out.txt' })
    expect(found).toMatchObject({ verdict: 'loss', metrics: [{ base: 100, head: 110 }, {}, {}, {}] })
  })
})

describe('a side that cannot be measured', () => {
  it.each([
    [
      'base crashes',
      { 'bench.sh': 'echo boom >&2; exit 3\n' },
      { base: 'HEAD' },
      'base cannot be measured: exit 3\nboom',
    ],
    ['head prints no metric', { 'speed.txt': 'x\n' }, { base: 'HEAD~1' }, 'head cannot be measured: '],
    [
      'the build of head fails',
      { 'ok.txt': '' },
      { base: 'HEAD~1', build: 'test ! -e ok.txt || { echo no >&2; exit 1; }' },
      'head cannot be measured: its build failed',
    ],
    [
      'base lacks the benchmark',
      { 'late.sh': 'echo METRIC ms=1\n' },
      { base: 'HEAD~1', command: 'bash late.sh' },
      'base cannot be measured: exit 127',
    ],
  ])('is named with its last lines: %s', async (_, change, over, message) => {
    const at = history(change)
    at.put('speed.txt', at.read('speed.txt').replace('100', '101'))
    const work = compare(at, over)
    await expect(work).rejects.toMatchObject({
      failure: { code: 'run_failed', message: expect.stringContaining(message) },
    })
  })

  it.each([
    ['an unknown commit', { base: 'nowhere' }],
    ['an option of git', { base: '--all' }],
    ['an unknown head', { base: 'HEAD', head: 'nowhere' }],
  ])('exits with code 2 for %s', async (_, over) => {
    expect(await refusal(compare(history({ 'a.txt': '' }), over))).toBe('exit 2')
  })

  it('names the fetch for a base that a shallow clone lacks', async () => {
    const at = history({ 'a.txt': '1' }, { 'a.txt': '2' })
    const dir = join(scratch(), 'shallow')
    git(at.dir, 'clone', '-q', '--depth=1', `file://${at.dir}`, dir)
    const shallow = { dir, data: at.data }
    await expect(compare(shallow, { base: 'HEAD~1' })).rejects.toMatchObject({
      exit: 2,
      hint: 'Fetch it: git fetch --unshallow origin',
    })
    await expect(compare(shallow, { base: 'origin/other' })).rejects.toMatchObject({
      hint: 'Fetch it: git fetch --depth=1 origin other:refs/remotes/origin/other',
    })
  })
})

it('ends with code 130 when it is interrupted', async () => {
  const at = history({ 'speed.txt': '110\n' })
  const controller = new AbortController()
  const comparisons = await openIn(at, {
    signal: controller.signal,
    tell: (event) => event.kind === 'pair' && controller.abort(),
  })
  expect(await refusal(comparisons.compare({ ...order, base: 'HEAD~1' }))).toBe('exit 130')
})

it('ends by its budget with a verdict that claims nothing', async () => {
  const at = history({ 'speed.txt': '110\n' })
  const found = await compare(at, { base: 'HEAD~1', command: 'bash bench.sh; sleep 0.3', budgetMs: 2_500 })
  expect(found).toMatchObject({ verdict: 'undecided', metrics: [{ reason: 'budget' }, {}, {}, {}] })
  expect(found.rounds).toBeLessThan(8)
})
