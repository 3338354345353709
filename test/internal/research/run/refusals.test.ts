// Actions that a rule rejects, with the error code, and without any change.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { ResearchSession } from '../../../../internal/research/session.ts'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { git } from '../../../support/repo.ts'
import { type Lab, lab, labIn, paired, plain, refusal } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'
import { harvest, scratchWith } from '../../../support/scratch.ts'

// every case starts dozens of git processes, and other tests may be at work
vi.setConfig({ testTimeout: 120_000 })

const quick: SessionSettings = { ...paired, skipNullTest: true }

interface Case {
  what: string
  settings?: SessionSettings
  /** Called with a started session. */
  work(research: ResearchSession, at: Lab): Promise<unknown>
  code: string
}

const baseline = async (research: ResearchSession) => {
  await research.run()
  await research.log({ status: 'baseline' })
}

const cases: Case[] = [
  { what: 'a second init', work: (r) => r.init(plain), code: 'session_active' },
  { what: 'a log without a run', work: (r) => r.log({ status: 'discard' }), code: 'nothing_pending' },
  {
    what: 'a second run while one is open',
    work: async (r) => {
      await r.run()
      await r.run()
    },
    code: 'run_pending',
  },
  {
    what: 'a run after the last',
    settings: { ...plain, maxRuns: 1 },
    work: async (r) => {
      await baseline(r)
      await r.run()
    },
    code: 'max_runs_reached',
  },
  {
    what: 'a run without any command',
    settings: { name: 'n', metric: 'ms', direction: 'lower' },
    work: (r) => r.run(),
    code: 'no_command',
  },
  {
    what: 'keeping a failed run',
    work: async (r, at) => {
      await baseline(r)
      at.put('speed.txt', 'nothing\n')
      await r.run()
      await r.log({ status: 'keep' })
    },
    code: 'failed_run_not_keepable',
  },
  {
    what: 'keeping a run whose checks failed',
    settings: { ...plain, checks: 'grep -q 100 speed.txt' },
    work: async (r, at) => {
      await baseline(r)
      at.put('speed.txt', '90\n')
      expect(await r.run()).toMatchObject({ status: 'checks_failed', reason: 'checks', metric: 90 })
      await r.log({ status: 'keep' })
    },
    code: 'checks_failed',
  },
  {
    what: 'a second baseline',
    work: async (r) => {
      await baseline(r)
      await baseline(r)
    },
    code: 'baseline_exists',
  },
  {
    what: 'discarding the first run under the paired gate',
    settings: quick,
    work: async (r) => {
      await r.run()
      await r.log({ status: 'discard' })
    },
    code: 'no_baseline',
  },
  {
    what: 'keeping a typed value under the paired gate',
    settings: quick,
    work: async (r, at) => {
      await baseline(r)
      at.put('speed.txt', '50\n')
      expect(await r.run()).toMatchObject({ status: 'keep', reason: 'deterministic' })
      await r.log({ status: 'keep', metricValue: 1 })
    },
    code: 'failed_run_not_keepable',
  },
  {
    what: 'keeping what another command measured under the paired gate',
    settings: quick,
    work: async (r, at) => {
      await baseline(r)
      at.put('speed.txt', '50\n')
      expect(await r.run({ command: 'echo METRIC ms=60' })).toMatchObject({
        status: 'discard',
        reason: 'override',
      })
      await r.log({ status: 'keep' })
    },
    code: 'failed_run_not_keepable',
  },
  {
    what: 'a value that is no number',
    work: async (r) => {
      await r.run()
      await r.log({ status: 'baseline', metricValue: Number.POSITIVE_INFINITY })
    },
    code: 'bad_args',
  },
  {
    what: 'logging what has been changed since',
    work: async (r, at) => {
      await baseline(r)
      at.put('speed.txt', '90\n')
      await r.run()
      at.put('speed.txt', '80\n')
      await r.log({ status: 'keep' })
    },
    code: 'stale',
  },
  {
    what: 'logging when what judged has been changed since',
    work: async (r, at) => {
      await r.run()
      at.put('.auto/measure.sh', 'echo METRIC ms=1\n')
      await r.log({ status: 'baseline' })
    },
    code: 'stale',
  },
  { what: 'a candidate that is no worktree', work: (r) => r.run({ candidate: '/tmp' }), code: 'not_found' },
]

it.each(sampleRows(cases, 4))(
  'rejects $what: $code',
  { timeout: 60_000 },
  async ({ settings = plain, work, code }) => {
    const at = lab(settings.command === undefined ? { a: '' } : undefined)
    const research = await at.open()
    await research.init(settings)
    expect(await refusal(work(research, at))).toBe(code)
    expect(await research.verify()).toMatchObject({ ok: true })
  },
)

it('returns no_session before the first session', async () => {
  const at = lab()
  const research = await at.open()
  for (const work of [() => research.run(), () => research.log({ status: 'keep' }), () => research.resume()])
    expect(await refusal(work())).toBe('no_session')
  expect(await refusal(research.verify())).toBe('no_session')
})

const unusable: { what: string; over: Partial<SessionSettings> }[] = [
  { what: 'an empty name', over: { name: ' ' } },
  { what: 'an empty metric', over: { metric: '' } },
  { what: 'a metric with a blank', over: { metric: 'a b' } },
  { what: 'a metric that reaches into objects', over: { metric: '__proto__' } },
  { what: 'direction down', over: { direction: 'down' } },
  { what: 'negative max_runs', over: { maxRuns: -1 } },
  { what: 'half a run', over: { maxRuns: 1.5 } },
  { what: 'a bad guard', over: { guards: ['rss<512'] } },
  { what: 'a scope outside', over: { scope: ['../x'] } },
  { what: 'an absolute lock', over: { lock: ['/etc/passwd'] } },
  { what: 'looks that go down', over: { looks: [16, 8] } },
  { what: 'an effect over 1', over: { minEffect: 5 } },
  { what: 'no time', over: { timeoutMs: 0 } },
  { what: 'a variable with =', over: { env: ['A=b'] } },
]

it.each(sampleRows(unusable, 4))('rejects $what and writes nothing', async ({ over }) => {
  const at = lab()
  const before = harvest(at.dir)
  const research = await at.open()
  expect(await refusal(research.init({ ...plain, ...over }))).toBe('exit 2')
  expect(harvest(at.dir)).toEqual(before)
  expect(harvest(at.data)).toEqual({})
})

const states: { what: string; make(at: Lab): void; over?: Partial<SessionSettings> }[] = [
  {
    what: 'in the middle of a merge',
    make: (at) => {
      at.git('checkout', '-qb', 'other')
      at.put('speed.txt', '1\n')
      at.git('commit', '-qam', 'one')
      at.git('checkout', '-q', 'main')
      at.put('speed.txt', '2\n')
      at.git('commit', '-qam', 'two')
      expect(() => at.git('merge', 'other')).toThrow()
    },
  },
  {
    what: 'with a metric that does not come',
    make: (at) => at.put('.auto/measure.sh', 'true\n'),
    over: { gate: 'paired' },
  },
  {
    what: 'with a command that is not there',
    make: () => undefined,
    over: { gate: 'paired', command: 'no-such' },
  },
]

it.each(sampleRows(states, 3))('does not start $what', async ({ make, over }) => {
  const at = lab()
  make(at)
  const research = await at.open()
  expect(await refusal(research.init({ ...plain, ...over }))).toBe('exit 2')
  expect((await research.state()).session).toBe(undefined)
})

it('does not start in a repository without a commit', async () => {
  const dir = scratchWith({ a: '' })
  git(dir, 'init', '-q')
  const research = await labIn(dir).open()
  expect(await refusal(research.init(plain))).toBe('exit 2')
})

it('works without git, and reports what is missing', async () => {
  const at = labIn(
    scratchWith({ 'speed.txt': '5\n', '.auto/measure.sh': 'echo METRIC ms=$(cat speed.txt)\n' }),
  )
  const research = await at.open()
  expect(await refusal(research.init(paired))).toBe('needs_git')
  const started = await research.init(plain)
  expect(started.notes.join()).toContain('not a git repository')
  await baseline(research)
  at.put('speed.txt', '4\n')
  await research.run()
  expect(await research.log({ status: 'keep' })).toMatchObject({
    commit: null,
    notes: [/nothing was committed/],
  })
  at.put('speed.txt', '9\n')
  await research.run()
  expect((await research.log({ status: 'discard' })).restored).toEqual([])
  expect(at.read('speed.txt')).toBe('9\n')
  expect(await refusal(research.candidate())).toBe('needs_git')
  expect(await research.verify()).toMatchObject({ ok: true })
})

it('makes the first command the configured one', async () => {
  const at = lab({ 'speed.txt': '7\n' })
  const research = await at.open()
  await research.init({ name: 'n', metric: 'ms', direction: 'lower' })
  const command = 'echo METRIC ms=$(cat speed.txt)'
  expect(await research.run({ command })).toMatchObject({ override: false, metric: 7 })
  await research.log({ status: 'baseline' })
  expect(await research.run()).toMatchObject({ metric: 7, notes: ['no_change: the tree equals best'] })
  await research.log({ status: 'discard' })
  expect(await research.run({ command: 'echo METRIC ms=1' })).toMatchObject({ override: true, metric: 1 })
  const { line } = await research.log({ status: 'discard' })
  expect(line.command_override).toBe('echo METRIC ms=1')
  expect((await research.state()).active?.command).toBe(command)
})

it('marks a manual value and never counts it', async () => {
  const at = lab()
  const research = await at.open()
  await research.init(plain)
  await research.run()
  const { line } = await research.log({ status: 'baseline', metricValue: 3 })
  expect(line).toMatchObject({ metric: 3, parsed: 100, overridden: true })
  expect((await research.state()).active?.baseline).toBe(undefined)
})

it('allows a new measurement of a stale run under its number', async () => {
  const at = lab()
  const research = await at.open()
  await research.init(plain)
  await baseline(research)
  at.put('speed.txt', '90\n')
  expect((await research.run()).run).toBe(2)
  at.put('speed.txt', '80\n')
  expect(await refusal(research.log({ status: 'discard' }))).toBe('stale')
  expect(at.read('speed.txt')).toBe('80\n')
  expect(await research.run()).toMatchObject({ run: 2, metric: 80 })
  await research.log({ status: 'keep' })
})

it('starts over on reset: history stays, the open run and its files are abandoned', async () => {
  const at = lab()
  const research = await at.open()
  await research.init(plain)
  await baseline(research)
  at.put('speed.txt', '90\n')
  await research.run()
  const again = await research.init({ ...plain, name: 'other', reset: true })
  expect(again).toMatchObject({ segment: 1, session: 'try', dirty: ['speed.txt'] })
  expect(at.read('speed.txt')).toBe('90\n')
  const { segments } = await research.state()
  expect(segments.map(({ config, counts }) => [config.name, counts.total])).toEqual([
    ['try', 2],
    ['other', 0],
  ])
  expect(segments[0]?.runs[1]).toMatchObject({ status: 'crash', reason: 'abandoned' })
  expect(await research.verify()).toMatchObject({ ok: true })
})

it('creates a new ledger for a new session and keeps the old copy', async () => {
  const at = lab()
  const research = await at.open()
  await research.init({ ...plain, maxRuns: 1 })
  await baseline(research)
  const old = at.read('.auto/log.jsonl')
  expect(await research.init({ ...plain, name: 'next' })).toMatchObject({ segment: 0, session: 'next' })
  expect(at.read('.auto/log.try.jsonl')).toBe(old)
  expect(await research.verify()).toMatchObject({ ok: true, lines: 1 })
  expect(at.git('status', '--porcelain')).toBe('')
  const former = await at.open({ session: 'try' })
  expect((await former.state()).active?.counts.total).toBe(1)
})

it('stops at a damaged line, and reports file and line', async () => {
  const at = lab()
  const research = await at.open()
  await research.init(plain)
  await baseline(research)
  const sealed = join(at.data, 'research')
  const file = Object.keys(harvest(sealed)).find((name) => name.endsWith('ledger.jsonl')) as string
  const path = join(sealed, file)
  writeFileSync(path, readFileSync(path, 'utf8').replace('"name":"try"', '"name":"tri"'))
  expect(await refusal(research.run())).toBe('exit 5')
  const found = await research.verify()
  expect(found.ok).toBe(false)
  expect(found.problems[0]).toMatch(/ledger damaged at .*ledger\.jsonl:2/)
})

it('detects a copy with different contents', async () => {
  const at = lab()
  const research = await at.open()
  await research.init(plain)
  await baseline(research)
  at.put('.auto/log.jsonl', at.read('.auto/log.jsonl').replace('"metric":100', '"metric":1'))
  const found = await research.verify()
  expect(found.problems[0]).toMatch(/log\.jsonl:2 differs from the sealed ledger/)
  expect((await research.state()).active?.best?.value).toBe(100)
})

it('keeps its directory private', async () => {
  const at = lab()
  await (await at.open()).init(plain)
  expect(statSync(join(at.data, 'research')).mode & 0o77).toBe(0)
})
