// The start of a child process: streams, session, environment, or the reason for a failed start.
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, runnerIn, scratch } from './scratch.ts'

test('a command can open its streams by device name, as in a terminal', async () => {
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

test('standard input is empty by default, and closed after the passed text', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  expect((await run(bash('wc -c', dir))).stdout.text.trim()).toBe('0')
  const large = 'x'.repeat(3_000_000)
  expect((await run(bash('wc -c', dir, { input: large }))).stdout.text.trim()).toBe('3000000')
  expect((await run(bash('true', dir, { input: large }))).exit).toBe(0)
})

test('runs in a separate process session, in the requested directory', async () => {
  const dir = scratch()
  const { stdout } = await runnerIn(dir).run(bash('pwd; ps -o pid=,pgid=,sid= -p $$', dir))
  const [cwd, ids = ''] = stdout.text.trim().split('\n')
  expect(cwd).toBe(realpathSync(dir))
  expect(new Set(ids.trim().split(/\s+/)).size).toBe(1)
})

test('a passed environment replaces the inherited one, and extra variables are added', async () => {
  const dir = scratch()
  const env = { PATH: process.env.PATH ?? '', A: '1' }
  const got = await runnerIn(dir).run(bash('echo "$A$B$HOME"', dir, { env, extraEnv: { B: '2' } }))
  expect(got.stdout.text).toBe('12\n')
})

test('children get the markers of all Anode processes above them', async () => {
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

/** Directories of PATH for which the system answers EACCES instead of ENOENT (the first: to normal users). */
const closed: Record<string, { make: (dir: string) => void; code: string }> = {
  'that may not be searched': { make: (dir) => chmodSync(dir, 0), code: 'not_found' },
  'with a directory of that name': { make: (dir) => mkdirSync(join(dir, 'no-such')), code: 'not_found' },
  'with a file of that name that is no program': {
    make: (dir) => writeFileSync(join(dir, 'no-such'), ''),
    code: 'io',
  },
}

test.each(Object.entries(closed))(
  'a missing program and a directory of PATH %s',
  async (_, { make, code }) => {
    const dir = scratch()
    const bin = join(dir, 'bin')
    mkdirSync(bin)
    make(bin)
    for (const PATH of [`${bin}:${process.env.PATH}`, `${process.env.PATH}:${bin}`])
      await expect(
        runnerIn(dir).run({ file: 'no-such', args: [], cwd: dir, env: { PATH } }),
      ).rejects.toMatchObject({ failure: { code } })
    chmodSync(bin, 0o755)
  },
)

test('a sandbox changes the command before it starts', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir, {
    sandbox: async (plan) => ({
      plan: { ...plan, file: 'env', args: ['WALL=up', plan.file, ...plan.args] },
      leave: async ({ errors }) => ({ refused: [errors] }),
    }),
  })
  const sandbox = { kind: 'workspace', folders: [dir], protected: [], network: [], write: [] } as const
  const sandboxed = {
    ...bash('echo $WALL; echo no >&2', dir),
    sandbox: { ...sandbox, revealed: [], opened: [], history: false },
  }
  expect(await run(sandboxed)).toMatchObject({ stdout: { text: 'up\n' }, sandbox: { refused: ['no\n'] } })
  const plain = await run(bash('echo "[$WALL]"', dir))
  expect(plain).toMatchObject({ stdout: { text: '[]\n' } })
  expect(plain.sandbox).toBeUndefined()
})
