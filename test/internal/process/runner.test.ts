// The runner as its users see it: real programs, their output, their end.
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Command } from '../../../internal/process/command.ts'
import { processesWith, runnerIn, scratch } from './scratch.ts'

const bash = (script: string, cwd: string, rest: Partial<Command> = {}): Command => ({
  file: 'bash',
  args: ['-c', script],
  cwd,
  ...rest,
})

test('captures both streams apart and in order, with the exit code', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  const got = await run(bash('echo a; sleep 0.05; echo b >&2; sleep 0.05; echo c; exit 3', dir))
  expect(got).toMatchObject({ exit: 3, signal: null, ended: undefined, leaked: 0, whole: undefined })
  expect(got.stdout).toEqual({ bytes: 4, text: 'a\nc\n', cut: false, invalid: false })
  expect(got.stderr.text).toBe('b\n')
  expect(got.combined.text).toBe('a\nb\nc\n')
})

test('names the signal that ended a command', async () => {
  const dir = scratch()
  expect(await runnerIn(dir).run(bash('kill -SEGV $$', dir))).toMatchObject({ exit: null, signal: 'SIGSEGV' })
})

test('output can be opened by its device name, as in a terminal', async () => {
  const dir = scratch()
  const got = await runnerIn(dir).run(
    bash('echo e > /dev/stderr; echo o | tee /dev/stdout; cat /dev/stdin', dir, { input: 'in\n' }),
  )
  expect({ exit: got.exit, out: got.stdout.text, err: got.stderr.text }).toEqual({
    exit: 0,
    out: 'o\no\nin\n',
    err: 'e\n',
  })
})

test('standard input is empty unless given, and closed after it', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  expect((await run(bash('wc -c', dir))).stdout.text.trim()).toBe('0')
  const large = 'x'.repeat(3_000_000)
  expect((await run(bash('wc -c', dir, { input: large }))).stdout.text.trim()).toBe('3000000')
  expect((await run(bash('true', dir, { input: large }))).exit).toBe(0)
})

test('runs in its own session, in the directory asked for', async () => {
  const dir = scratch()
  const { stdout } = await runnerIn(dir).run(bash('pwd; ps -o pid=,pgid=,sid= -p $$', dir))
  const [cwd, ids = ''] = stdout.text.trim().split('\n')
  expect(cwd).toBe(realpathSync(dir))
  expect(new Set(ids.trim().split(/\s+/)).size).toBe(1)
})

test('a given environment is the whole one, additions come on top', async () => {
  const dir = scratch()
  const env = { PATH: process.env.PATH ?? '', A: '1' }
  const got = await runnerIn(dir).run(bash('echo "$A$B$HOME"', dir, { env, extraEnv: { B: '2' } }))
  expect(got.stdout.text).toBe('12\n')
})

test('children find the marker of every Anode above them', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir, { env: { ...process.env, ANODE_RUN: 'outer.1.' } })
  expect((await run(bash('echo $ANODE_RUN', dir))).stdout.text).toMatch(/^outer\.1\.:[0-9A-Z]{26}\.1\.$/m)
})

test.each([
  [
    'a missing program',
    { file: 'no-such-program-here' },
    'not_found',
    'program not found: no-such-program-here',
  ],
  [
    'a missing directory',
    { cwd: '/no/such/directory' },
    'not_found',
    'no such directory: /no/such/directory',
  ],
  ['a NUL in an argument', { args: ['a\0b'] }, 'bad_args', 'NUL'],
  ['arguments beyond the limit', { args: ['x'.repeat(3_000_000)] }, 'too_large', 'too long'],
  ['a file that is no program', { file: '/etc/passwd' }, 'io', 'cannot start /etc/passwd'],
])('%s is a failure that can be acted on', async (_name, change, code, message) => {
  const dir = scratch()
  const command = { ...bash('true', dir), ...change }
  await expect(runnerIn(dir).run(command)).rejects.toMatchObject({
    failure: { code, message: expect.stringContaining(message) },
  })
})

test('a timeout ends everything and keeps what was written', async () => {
  const dir = scratch()
  const got = await runnerIn(dir).run(bash('echo before; sleep 600 & sleep 600', dir, { timeoutMs: 150 }))
  expect(got).toMatchObject({ exit: null, signal: 'SIGTERM', ended: 'timeout' })
  expect(got.stdout.text).toBe('before\n')
})

test('an abort ends it; one that came before starts nothing', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  const abort = new AbortController()
  const going = run(bash('echo up; sleep 600', dir, { signal: abort.signal, onOutput: () => abort.abort() }))
  expect(await going).toMatchObject({ ended: 'cancelled', signal: 'SIGTERM' })
  expect(await run(bash('touch started', dir, { signal: abort.signal }))).toMatchObject({
    ended: 'cancelled',
    ms: 0,
  })
  expect(existsSync(join(dir, 'started'))).toBe(false)
})

test('a command may clean up after TERM', async () => {
  const dir = scratch()
  const got = await runnerIn(dir).run(
    bash('trap "sleep 0.3; echo cleaned; exit 7" TERM; echo up; sleep 600 & wait', dir, { timeoutMs: 100 }),
  )
  expect(got).toMatchObject({ exit: 7, ended: 'timeout' })
  expect(got.stdout.text).toBe('up\ncleaned\n')
})

test('a background child that holds the pipe neither delays the result nor outlives it', async () => {
  const dir = scratch()
  const mark = `mark-${Math.random()}`
  const { run } = runnerIn(dir)
  const got = await run(bash(`(exec -a ${mark} sleep 600) & echo done`, dir, { timeoutMs: 20_000 }))
  expect(got).toMatchObject({ exit: 0, ended: undefined, leaked: 1 })
  expect(got.stdout.text).toBe('done\n')
  expect(processesWith(mark)).toEqual([])
})

test('a reader behind a process substitution gets to write its last line', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  for (let i = 0; i < 5; i++) {
    const got = await run(bash('exec > >(sed s/a/b/); echo a', dir))
    expect(got).toMatchObject({ exit: 0, leaked: 0 })
    expect(got.stdout.text).toBe('b\n')
  }
})

test('keeps head and tail in memory and the whole in a file that the runner removes', async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  const got = await runner.run(bash('seq 1 100000', dir, { keepBytes: 1000, whole: true }))
  expect(got.stdout).toMatchObject({ bytes: 588895, cut: true })
  expect(got.stdout.text).toMatch(/^1\n2\n[\s\S]*bytes left out …\n[\s\S]*\n100000\n$/)
  let whole = ''
  for await (const part of got.whole?.text() ?? []) whole += part
  expect(whole).toBe(Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join(''))
  await runner.close()
  expect(readdirSync(join(dir, 'run'))).toEqual([])
})

test('many at once do not get in each other’s way', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  const outs = await Promise.all(
    Array.from({ length: 40 }, (_, i) => run(bash(`echo ${i}; echo ${i} >&2`, dir))),
  )
  expect(outs.map((one) => one.combined.text.trim().split('\n'))).toEqual(
    Array.from({ length: 40 }, (_, i) => [`${i}`, `${i}`]),
  )
})

test('close ends what runs, as cancelled, and leaves no file and no process', async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  const going = runner.run(bash('echo up; sleep 600', dir))
  await runner.run(bash('true', dir))
  await runner.close()
  expect(await going).toMatchObject({ ended: 'cancelled' })
  expect(readdirSync(join(dir, 'run'))).toEqual([])
  expect(processesWith(dir)).toEqual([])
  expect(await runner.run(bash('true', dir))).toMatchObject({ ended: 'cancelled', exit: null })
})

test('a sandbox wraps what is started', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir, {
    sandbox: (plan) => ({ ...plan, file: 'env', args: ['WALL=up', plan.file, ...plan.args] }),
  })
  expect((await run(bash('echo $WALL', dir))).stdout.text).toBe('up\n')
})

test('costs nothing before the first command', async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  await runner.close()
  expect(readdirSync(dir)).toEqual([])
})
