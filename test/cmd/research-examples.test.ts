// The shipped experiments, run in copies: their traps here, whole searches only with ANODE_FAULTS.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { git } from '../support/repo.ts'
import { root } from '../support/sources.ts'

const examples = join(root, 'manual', 'examples', 'research')
const program = join(root, 'dist', 'anode.cjs')
const long = process.env.ANODE_FAULTS !== undefined

const made: string[] = []
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true })
})

const has = (name: string) => spawnSync(name, ['--version']).status === 0

/** Returns a new repository with the example, and a data directory next to it. */
function copy(name: string) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), `anode-example-${name}-`)))
  made.push(base)
  const dir = join(base, 'work')
  cpSync(join(examples, name), dir, { recursive: true })
  git(dir, 'init', '-q', '-b', 'main')
  git(dir, 'config', 'user.name', 'A')
  git(dir, 'config', 'user.email', 'a@example.org')
  git(dir, 'add', '-A')
  git(dir, 'commit', '-q', '-m', 'start')
  const env = { PATH: process.env.PATH, HOME: base, TMPDIR: base, ANODE_DATA_DIR: join(base, 'data') }
  const run = (file: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(file, args, { cwd: dir, env, encoding: 'utf8' })
    return { code: status, out: stdout, err: stderr }
  }
  const anode = (...words: string[]) => run(process.execPath, program, 'research', ...words)
  return { dir, run, anode, put: (path: string, text: string) => writeFileSync(join(dir, path), text) }
}

interface Result {
  stopped: string
  counts: Record<string, number>
  final: { pct: number; ci: [number, number] } | null
  log: { run: number; status: string; reason: string; metric?: number; description: string }[]
}

/** Runs a whole search and expects an unchanged checkout. */
function search(at: ReturnType<typeof copy>, ...flags: string[]): Result {
  const before = [git(at.dir, 'status', '--porcelain'), git(at.dir, 'rev-parse', 'HEAD')]
  const done = at.anode('auto', '--policy', 'random', ...flags, '--json')
  expect([git(at.dir, 'status', '--porcelain'), git(at.dir, 'rev-parse', 'HEAD')]).toEqual(before)
  expect(at.anode('verify')).toMatchObject({ code: 0 })
  const result = JSON.parse(done.out) as Result
  const kept = git(at.dir, 'rev-list', '--count', '--all', '--grep', '^Result: ').trim()
  expect(Number(kept)).toBe(result.counts.keep)
  return result
}

const metrics = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^METRIC (\w+)=(.+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  )

describe.skipIf(!has('gcc'))('gcc', () => {
  const timeout = long ? 600_000 : 60_000

  it('measures the effect of the flags and catches the flag that changes the result', { timeout }, () => {
    const at = copy('gcc')
    for (const [flags, code] of [
      ['-O0', 0],
      ['-O2 -funroll-loops', 0],
      ['-O3 -ffast-math', 1],
    ] as const) {
      at.put('flags.txt', `${flags}\n`)
      expect(at.run('.auto/build.sh')).toMatchObject({ code: 0 })
      expect(metrics(at.run('.auto/measure.sh').out)).toEqual({
        cpu_ms: expect.any(Number),
        binary_kb: expect.any(Number),
      })
      expect([flags, at.run('.auto/checks.sh').code]).toEqual([flags, code])
    }
  })

  it.skipIf(!long)('ends with a gain', { timeout }, () => {
    const result = search(copy('gcc'), '--seed', '7', '--max-runs', '14')
    expect(result.final?.pct).toBeLessThan(-30)
    expect(result.final?.ci[1]).toBeLessThan(0)
    for (const { status, description } of result.log)
      if (description?.includes('fast-math')) expect(status).not.toBe('keep')
  })
})

describe.skipIf(!has('sqlite3'))('sqlite', () => {
  const timeout = long ? 900_000 : 60_000
  const pragmas = (journal: string, synchronous: string) =>
    `PRAGMA journal_mode = ${journal};\nPRAGMA synchronous = ${synchronous};\n`

  it('rejects settings that do not survive a power failure', { timeout }, () => {
    const at = copy('sqlite')
    const measured = at.run('.auto/measure.sh')
    if (measured.out.includes('skipped')) expect(measured.code).toBe(2)
    else expect(metrics(measured.out)).toEqual({ wall_ms: expect.any(Number), db_kb: expect.any(Number) })
    for (const [text, code] of [
      [pragmas('WAL', 'FULL'), 0],
      [pragmas('PERSIST', 'EXTRA'), 0],
      [pragmas('WAL', 'NORMAL'), 1],
      [pragmas('DELETE', 'OFF'), 1],
      [pragmas('MEMORY', 'FULL'), 1],
      [`${pragmas('WAL', 'FULL')}DROP TABLE entry;\n`, 1],
      [`${pragmas('WAL', 'FULL')}.open :memory:\n`, 1],
    ] as const) {
      at.put('settings.sql', text)
      expect([text, at.run('.auto/checks.sh').code]).toEqual([text, code])
    }
  })

  it.skipIf(!long)('ends with a durable gain', { timeout }, () => {
    const result = search(copy('sqlite'), '--seed', '5', '--max-runs', '10')
    expect(result.final?.pct).toBeLessThan(-20)
    expect(result.final?.ci[1]).toBeLessThan(0)
    const unsafe = result.log.filter(({ description }) => /=OFF|=MEMORY s/.test(description ?? ''))
    expect(unsafe.length).toBeGreaterThan(0)
    expect(unsafe.filter(({ status }) => status !== 'checks_failed')).toEqual([])
  })
})

describe('zlib', () => {
  // The long form searches twice with 60 runs each, which takes minutes on a busy machine.
  const timeout = long ? 1_200_000 : 240_000
  const [runs, least] = long ? (['60', -15] as const) : (['5', 0] as const)

  it('ends with fewer bytes, catches both traps, and in the long form finds the same result every time', {
    timeout,
  }, () => {
    const flags = ['--seed', '11', '--max-runs', runs, '--patience', '0']
    const first = search(copy('zlib'), ...flags)
    const plain = ({ log }: Result) =>
      log.map(({ run, status, reason, metric }) => [run, status, reason, metric])
    if (long) expect(plain(search(copy('zlib'), ...flags))).toEqual(plain(first))
    expect(first.log).toHaveLength(Number(runs))
    expect(first.counts.checks_failed).toBeGreaterThan(0)
    expect(first.log.some(({ reason }) => reason === 'guard:cpu_us')).toBe(true)
    if (long) expect(first.final?.pct).toBeLessThanOrEqual(least)
  })
})

describe('try.sh', () => {
  it('reports missing programs, and returns the exit code of the command', () => {
    const bare = mkdtempSync(join(tmpdir(), 'anode-bare-'))
    made.push(bare)
    for (const name of ['bash', 'dirname']) spawnSync('ln', ['-s', `/usr/bin/${name}`, join(bare, name)])
    const run = (env: Record<string, string>) =>
      spawnSync('/bin/bash', [join(examples, 'try.sh'), 'gcc'], {
        env: { PATH: bare, ...env },
        encoding: 'utf8',
      })
    expect(run({})).toMatchObject({ status: 2, stdout: 'skipped: gcc not found\n' })
    expect(run({ ANODE_SKIPPED: '0' })).toMatchObject({ status: 0, stdout: 'skipped: gcc not found\n' })
  })

  it('runs an example in a new repository', { timeout: 60_000 }, () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'anode-try-')))
    made.push(base)
    const env = { PATH: process.env.PATH, HOME: base, TMPDIR: base, ANODE: `${process.execPath} ${program}` }
    const done = spawnSync('bash', [join(examples, 'try.sh'), 'zlib', '--max-runs', '2'], {
      env,
      encoding: 'utf8',
    })
    expect([done.status, done.stderr]).toEqual([0, expect.stringContaining(join(base, 'anode-zlib.'))])
    expect(done.stdout).toContain('run 1  5950  -> baseline')
  })
})
