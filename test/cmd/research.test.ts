// `anode research` as a user or a script runs it: the built program in a separate repository.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { live } from '../support/live.ts'
import { git } from '../support/repo.ts'
import { full } from '../support/sample.ts'
import { root } from '../support/sources.ts'

const open: World[] = []
afterEach(() => {
  for (const at of open.splice(0)) at.remove()
})

/** Returns a repository whose metric is the sum of two files. */
function repository(more: Readonly<Record<string, string>> = {}): World {
  const at = world()
  open.push(at)
  const files = {
    'a.txt': '60\n',
    'b.txt': '40\n',
    '.auto/measure.sh': 'echo "METRIC ms=$(( $(cat a.txt) + $(cat b.txt) ))"\n',
    '.auto/config.json': JSON.stringify({
      name: 'sum',
      primary_metric: 'ms',
      direction: 'lower',
      scope: ['*.txt'],
    }),
    ...more,
  }
  for (const [path, text] of Object.entries(files)) at.put(path, text)
  git(at.dir, 'init', '-q', '-b', 'main')
  git(at.dir, 'config', 'user.name', 'A')
  git(at.dir, 'config', 'user.email', 'a@example.org')
  git(at.dir, 'add', '-A')
  git(at.dir, 'commit', '-q', '-m', 'first')
  return at
}

const research = (at: World, ...words: string[]) => at.anode(['research', ...words])

async function begun(at: World, ...flags: string[]) {
  expect((await research(at, 'init', '--skip-null-test', ...flags)).code).toBe(0)
  expect((await research(at, 'run')).code).toBe(0)
  expect((await research(at, 'log', '--status', 'baseline')).code).toBe(0)
}

/** Resolves when a run is being measured. */
async function measuring(at: World): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const { pending } = JSON.parse((await research(at, 'status', '--json')).out)
    if (pending.some(({ state }: { state: string }) => state === 'running')) return
    await setTimeout(50)
  }
  throw new Error('nothing is being measured')
}

/** Returns the output on a terminal with this number of columns. */
function inTerminal(at: World, words: readonly string[], columns = 80): string {
  const all = [process.execPath, join(root, 'dist', 'anode.cjs'), ...words]
  const quoted = all.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const { stdout } = spawnSync('script', ['-qec', `stty cols ${columns}; ${quoted}`, '/dev/null'], {
    cwd: at.dir,
    env: {
      PATH: process.env.PATH,
      HOME: join(at.dir, '..'),
      ANODE_DATA_DIR: at.data,
      TERM: 'xterm',
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return stdout
}

/** Returns a PATH that leads to every program but one. */
function without(program: string, bin: string): string {
  mkdirSync(bin, { recursive: true })
  for (const dir of (process.env.PATH ?? '').split(':'))
    for (const name of existsSync(dir) ? readdirSync(dir) : [])
      if (name !== program && !existsSync(join(bin, name))) symlinkSync(join(dir, name), join(bin, name))
  return bin
}

const timeout = 120_000

describe('anode research', { timeout }, () => {
  it('goes from init to final', async () => {
    const at = repository()
    await begun(at)
    at.put('a.txt', '50\n')
    const run = await research(at, 'run', '--description', 'less work')
    expect(run.out).toContain('ms 90  -10.0%  the same in every execution')
    expect(run.out).toContain(
      "-> run 2 keep (deterministic)   anode research log --status keep --description 'less work'",
    )
    const log = await research(at, 'log', '--status', 'keep', '--description', 'less work')
    expect(log.out).toMatch(/^run 2 logged: keep, deterministic\ncommit [0-9a-f]{12}\n$/)
    expect(git(at.dir, 'log', '-1', '--format=%B')).toMatch(/^Result: /m)
    at.put('a.txt', '70\n')
    expect((await research(at, 'run')).out).toContain('-> run 3 discard (worse)')
    expect((await research(at, 'log', '--status', 'discard')).out).toContain('restored: a.txt')
    expect(git(at.dir, 'status', '--porcelain')).toBe('')
    expect((await research(at, 'final')).out).toBe('gain: ms 100 -> 90, 10.0 % lower  2 pairs\n')
    expect(await research(at, 'verify')).toMatchObject({ code: 0, out: '5 lines, all in order\n' })
    const status = await research(at, 'status')
    expect(status.out).toContain('#2  90   -10.0%  keep, deterministic  less work')
    expect(status.out).toContain('final     gain: ms 100 -> 90, 10.0 % lower')
    const made = await research(at, 'finalize', '--branch', 'review')
    expect(made.out).toMatch(/^review {2}1 commit on /)
    expect(git(at.dir, 'show', 'review:a.txt')).toBe('50\n')
  })

  it('prints its current action at the start, then the findings and the next step', async () => {
    const noisy = 'echo "METRIC ms=$(( $(cat a.txt) + RANDOM % 9 ))"\n'
    const at = repository({ '.auto/measure.sh': noisy })
    const done = await research(at, 'init')
    expect(done.code).toBe(0)
    expect(done.err).toContain('warm-up …\nnull test …\n')
    expect(done.out).toMatch(
      /null test passed {2}\d+ pairs {2}floor [\d.]+%\n.*the floor is how far its values spread/,
    )
    expect(done.out).toMatch(/\nnext: anode research run\n$/)
    const silent = await research(at, 'init', '--reset', '--skip-null-test', '--json')
    expect([silent.code, silent.err]).toEqual([0, ''])
    // on a terminal the progress line is redrawn
    const shown = inTerminal(at, ['research', 'init', '--reset'])
    expect(shown).toMatch(/\r\u001b\[2Knull test: pair 8 of 8/)
    expect(shown).toContain('next: anode research run')
  })

  it.runIf(full)('keeps verdicts readable on a terminal of 40 columns', async () => {
    const at = repository({ 'c.txt': 'a description that takes far more than the width of the terminal\n' })
    await begun(at)
    at.put('a.txt', 'no number\n')
    await research(at, 'run', '--description', 'x'.repeat(60))
    await research(at, 'log', '--status', 'crash')
    const lines = inTerminal(at, ['research', 'status'], 40).split(/\r?\n/)
    expect(lines.join('\n')).toMatch(/✖ crash, (exit \d|no metric)/)
    expect(lines.filter((line) => [...line].length > 40)).toEqual([])
  })

  /**
   * Expects that the flag requires a model, with and without the words for another policy in the workspace.
   */
  async function expectModelMissing(at: World) {
    const done = await research(at, 'auto', '--policy', 'model', '--max-runs', '3')
    expect([done.code, done.err]).toEqual([2, expect.stringMatching(/export [A-Z]+_API_KEY=.*--model/)])
    const { rows } = JSON.parse((await research(at, 'status', '--json')).out)
    expect(rows).toHaveLength(1)
  }

  it('reports a missing isolation everywhere, and fails where isolation is required', async () => {
    const at = repository()
    const bin = join(at.dir, '..', 'bin')
    at.put('../.config/anode/config.json', '{"sandbox": "off"}')
    for (const [isolate, env, why] of [
      ['off', {}, /^not isolated: switched off/],
      ['auto', { PATH: without('unshare', bin) }, /^not isolated: .*unshare/],
    ] as const) {
      const call = (...words: string[]) => at.anode(['research', ...words], { env })
      at.put('a.txt', '60\n')
      const begin = ['init', '--reset', '--skip-null-test', '--isolate', isolate]
      expect((await call(...begin)).code).toBe(0)
      expect((await call('run')).out).toMatch(new RegExp(why.source.slice(1), 'm'))
      const logged = await call('log', '--json')
      expect(JSON.parse(logged.out).line.isolation).toMatch(why)
      at.put('a.txt', '50\n')
      const ran = JSON.parse((await call('run', '--json')).out)
      expect(ran).toMatchObject({ status: 'keep', isolation: expect.stringMatching(why) })
      // later output comes from the ledger, in one format
      if (!full && isolate === 'auto') continue
      expect((await call('status')).out).toContain(`warning: ${ran.isolation}`)
      expect(JSON.parse((await call('status', '--json')).out).warnings).toContain(ran.isolation)
      expect((await call('export', '--html', '../report.html')).code).toBe(0)
      const page = readFileSync(join(at.dir, '..', 'report.html'), 'utf8')
      expect(page).toContain(ran.isolation.split(/['"&<>]/)[0])
    }
    const required = await at.anode(['research', 'init', '--reset', '--isolate', 'require'], {
      env: { PATH: without('unshare', bin) },
    })
    expect([required.code, required.err]).toEqual([
      2,
      expect.stringMatching(
        /executions cannot be isolated here: .*unshare(?:.|\n)*without --isolate require/,
      ),
    ])
  })

  it('returns the reason to stop as its exit code', async () => {
    const at = repository()
    const expectCode = async (code: number, ...words: string[]) => {
      const done = await research(at, ...words)
      expect([words.join(' '), done.code, done.err]).toEqual([words.join(' '), code, expect.any(String)])
      return done
    }
    await expectCode(2, 'status')
    await expectCode(2, 'run')
    await expectCode(2, 'log')
    await expectCode(2, 'init', '--direction', 'down')
    await expectCode(2, 'init', '--max-runs', '-1')
    await expectCode(2, 'init', '--guard', 'ms<1')
    await expectCode(2, 'init', '--looks', '8,4')
    await expectCode(2, 'auto')
    await expectCode(2, 'auto', '--policy', 'clever')
    await expectCode(2, 'auto', '--policy', 'random')
    await expectCode(2, 'aa', '--candidates', '0')
    await expectCode(2, 'export')
    await begun(at, '--max-runs', '4')
    await expectCode(1, 'init')
    await expectCode(1, 'log', '--status', 'keep')
    at.put('a.txt', 'no number\n')
    await expectCode(1, 'run')
    await expectCode(1, 'run')
    await expectCode(1, 'log', '--status', 'keep')
    await expectCode(0, 'log', '--status', 'crash')
    at.put('a.txt', '50\n')
    writeFileSync(join(at.dir, '.auto/measure.sh'), 'echo METRIC ms=1\n')
    const tampered = await expectCode(5, 'run', '--json')
    expect(JSON.parse(tampered.out)).toMatchObject({
      status: 'crash',
      reason: 'lock_violation',
      lock: 'violated',
    })
    git(at.dir, 'checkout', '-q', '.auto/measure.sh')
    await expectCode(0, 'log', '--status', 'crash')
    await expectCode(0, 'run')
    await expectCode(0, 'log', '--status', 'discard')
    const full = await expectCode(3, 'run', '--json')
    expect(JSON.parse(full.out)).toMatchObject({ ok: false, error: { code: 'max_runs_reached' } })
    const copy = join(at.dir, '.auto/log.jsonl')
    writeFileSync(copy, readFileSync(copy, 'utf8').replace('"status":"crash"', '"status":"keep"'))
    const broken = await expectCode(5, 'verify', '--json')
    expect(JSON.parse(broken.out).problems[0]).toMatch(/log\.jsonl:3 differs from the sealed ledger/)
  })

  it('needs git for pairs and reports what works without it', async () => {
    const at = world()
    open.push(at)
    at.put('.auto/measure.sh', 'echo METRIC ms=5\n')
    const words = ['init', '--name', 'x', '--metric', 'ms', '--direction', 'lower']
    const refused = await research(at, ...words)
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('plain')])
    expect((await research(at, ...words, '--gate', 'plain')).code).toBe(0)
    expect((await research(at, 'run')).code).toBe(0)
    expect((await research(at, 'log', '--status', 'baseline')).out).toContain('run 1 logged: baseline')
    const auto = await at.anode(['research', 'auto', '--policy', 'scripted:none.json'])
    expect([auto.code, auto.err]).toEqual([2, expect.stringContaining('none.json is not there')])
  })

  it('lets a random policy use only the words of the workspace', async () => {
    const policy = { file: 'a.txt', template: '{n}', knobs: { n: [50, 61, 62, 63] } }
    const at = repository({ '.auto/policy.json': JSON.stringify(policy) })
    const words = ['auto', '--policy', 'random', '--seed', '3', '--max-runs', '4', '--serve']
    const done = await research(at, ...words, '--json')
    expect(done.code).toBe(0)
    const [, address = '', path = '', token = ''] =
      /^page {2}(http:\/\/127\.0\.0\.1:\d+)(\/research\/work-[\w-]+\.sum)#token=([\w-]{43})$/m.exec(
        done.err,
      ) ?? []
    const headers = { authorization: `Bearer ${token}` }
    const board = (await (await fetch(`${address}/v1${path}`, { headers })).json()) as { counts: object }
    expect(board).toMatchObject({ name: 'sum', counts: { total: 4 } })
    const result = JSON.parse(done.out)
    expect(result).toMatchObject({ session: 'sum', stopped: 'max_runs', runs: 4 })
    expect(git(at.dir, 'status', '--porcelain')).toBe('')
    const rest = await research(at, ...words)
    expect(rest.code).toBe(0)
    expect(rest.err).toContain(`page  ${address}${path}#token=`)
    expect((await at.anode(['serve', 'stop'])).out).toBe('stopped\n')
    expect(rest.out).toMatch(
      /run 5 .*\nstopped: nothing is left to propose\nfinal: gain: ms 100 -> 90, 10\.0 % lower/,
    )
    expect((await research(at, 'verify')).code).toBe(0)
  })

  it('lets a model propose, with a new agent for each experiment', async () => {
    const at = repository()
    const edit = (n: number, path: string, content: string, text: string) => [
      { task: `experiment ${n}`, calls: [{ name: 'create_file', args: { path, content, overwrite: true } }] },
      { task: `experiment ${n}`, text: `${text}\nHypothesis: it is smaller` },
    ]
    const script = [...edit(2, 'a.txt', '50\n', 'Less in a'), ...edit(3, 'b.txt', '30\n', 'Less in b')]
    writeFileSync(join(at.dir, '..', 'model.jsonl'), script.map((line) => JSON.stringify(line)).join('\n'))
    const words = [
      'auto',
      '--policy',
      'model',
      '--model',
      'script:../model.jsonl',
      '--parallel',
      '2',
      '--max-runs',
      '3',
    ]
    const done = await research(at, ...words)
    expect(done.out).toMatch(/run 2 {2}Less in a {2}90 {2}paired -10\.0% {2}-> keep, deterministic/)
    expect(done.out).toMatch(/run 3 {2}Less in b {2}80 {2}paired -11\.1% {2}-> keep, deterministic/)
    expect(done.code).toBe(0)
    const { rows, tokens } = JSON.parse((await research(at, 'status', '--json')).out)
    expect(rows).toHaveLength(3)
    expect(tokens).toBeGreaterThan(0)
    expect(git(at.dir, 'status', '--porcelain')).toBe('')
    expect(git(at.dir, 'show', 'anode/sum:a.txt', 'anode/sum:b.txt')).toBe('50\n30\n')
  })

  it('ends at Ctrl-C, leaves nothing behind, and can be resumed', async () => {
    const policy = { file: 'a.txt', template: '{n}', knobs: { n: [50, 61, 62] } }
    const slow = 'sleep 0.1; echo "METRIC ms=$(( $(cat a.txt) + RANDOM % 3 ))"\n'
    const at = repository({ '.auto/policy.json': JSON.stringify(policy), '.auto/measure.sh': slow })
    expect((await research(at, 'init', '--skip-null-test')).code).toBe(0)
    const running = live(at, ['research', 'auto', '--policy', 'random'])
    await running.until(/run 1 .*baseline/)
    await measuring(at)
    running.child.kill('SIGINT')
    const done = await running.done
    expect(done).toMatchObject({ code: 130 })
    const { recovered, worktree_clean } = JSON.parse((await research(at, 'resume', '--json')).out)
    expect([recovered, worktree_clean]).toEqual(['nothing', true])
    expect(git(at.dir, 'status', '--porcelain')).toBe('')
    expect((await research(at, 'verify')).code).toBe(0)
    const { rows } = JSON.parse((await research(at, 'status', '--json')).out)
    expect(rows.at(-1)).toMatchObject({ status: 'crash', reason: 'interrupted' })
  })

  it('rejects the policy model without a model, and exports one self-contained page', async () => {
    const at = repository()
    await begun(at)
    await expectModelMissing(at)
    at.put('.auto/policy.json', '{}')
    await expectModelMissing(at)
    expect((await research(at, 'export', '--html', 'report.html')).out).toBe('report.html\n')
    const page = readFileSync(join(at.dir, 'report.html'), 'utf8')
    expect(page).toMatch(/snapshot of \d{4}-/)
    expect(page).not.toMatch(/https?:/)
    const failed = await research(at, 'export', '--html', 'none/report.html')
    expect([failed.code, failed.err]).toEqual([
      1,
      expect.stringContaining('none/report.html cannot be written: its folder does not exist'),
    ])
    expect(JSON.parse((await research(at, 'export', '--json')).out)).toMatchObject({
      name: 'sum',
      metric: 'ms',
    })
  })

  it('follows a session line by line in a pipe until it stops', async () => {
    const at = repository()
    await begun(at, '--max-runs', '2')
    const watching = research(at, 'status', '--watch')
    at.put('a.txt', '50\n')
    await research(at, 'run')
    await research(at, 'log', '--status', 'keep', '--description', 'less')
    const seen = await watching
    expect(seen.code).toBe(0)
    expect(seen.out).toContain('run 1  100  -> baseline\n')
    expect(seen.out).toContain('run 2  less  90  paired -10.0%  -> keep, deterministic\n')
  })

  it('measures processor time and returns the exit code of the command', async () => {
    const at = repository()
    const done = await research(at, 'cpu', '--', 'bash', '-c', 'echo out; echo err >&2; exit 3')
    expect(done).toMatchObject({ code: 3, err: 'err\n' })
    expect(done.out).toMatch(/^out\nMETRIC cpu_ms=\d+\n$/)
    expect((await research(at, 'cpu', '--', 'bash', '-c', 'kill -TERM $$')).code).toBe(143)
    expect((await research(at, 'cpu')).code).toBe(2)
  })

  it.runIf(full)('counts the candidates equal to the baseline that either rule would keep', async () => {
    const at = repository()
    const found = JSON.parse((await research(at, 'aa', '--candidates', '2', '--json')).out)
    expect(found).toMatchObject({ candidates: 2, false_keeps: 0, naive_keeps: 0, floor_pct: 0 })
  })
})
