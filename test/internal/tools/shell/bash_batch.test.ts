// The tool bash_batch: order, failures, folders, and one decision over all lines.
import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRunner } from '../../../../internal/process/run-command.ts'
import { createCatalog } from '../../../../internal/tool/catalog.ts'
import type { Ctx } from '../../../../internal/tool/ctx.ts'
import { toToolDescription } from '../../../../internal/tool/describe.ts'
import { invoke } from '../../../../internal/tool/invoke.ts'
import type { Tool } from '../../../../internal/tool/tool.ts'
import { bashBatch } from '../../../../internal/tools/shell/bash_batch.ts'
import { type CtxChanges, changeCtx, ctxWith } from '../../../support/ctx.ts'
import { scratch } from '../../../support/scratch.ts'
import { quoteWord } from '../../../support/shell-word.ts'

const tool = bashBatch as unknown as Tool
const catalog = createCatalog([
  { ...toToolDescription(tool, 'native'), load: async () => tool, hidden: undefined },
])

function session(over: Partial<Ctx['policy']> = {}) {
  const dir = scratch()
  mkdirSync(join(dir, 'web'))
  const runner = createRunner({ dataDir: scratch(), env: process.env })
  onTestFinished(() => runner.close())
  const base = ctxWith({ processes: { run: runner.run } }, { cwd: dir, env: { PATH: process.env.PATH } })
  const ctx: Ctx = { ...base, policy: { ...base.policy, mode: 'unrestricted', ...over } }
  const run = (
    commands: (string | Record<string, unknown>)[],
    rest: Record<string, unknown> = {},
    more: CtxChanges = {},
  ) =>
    invoke(catalog, changeCtx(ctx, more), {
      name: 'bash_batch',
      args: {
        commands: commands.map((one) => (typeof one === 'string' ? { command: one } : one)),
        ...rest,
      },
    })
  return { dir, run }
}

test('runs in order and shows each line with its output and exit code', async () => {
  const { run } = session()
  const { text, failed, raw } = await run(['echo one', 'echo two >&2', { command: 'cat', stdin: 'three' }])
  expect(failed).toBeUndefined()
  expect(text).toBe('$ echo one\none\n[exit 0]\n$ echo two >&2\ntwo\n[exit 0]\n$ cat\nthree\n[exit 0]')
  expect(raw?.output).toBe('one\ntwo\nthree')
})

test('ends at the first failure and says what did not run', async () => {
  const { run } = session()
  const { text, failed, data } = await run(['echo a', 'exit 3', 'echo never'])
  expect(failed).toMatchObject({ code: 'command_failed', message: 'exit 3: exit 3' })
  expect(text).toBe('$ echo a\na\n[exit 0]\n$ exit 3\n[exit 3]\n[$ echo never: not run]')
  expect(data).toMatchObject({ failed: 1, commands: [{ exit: 0 }, { exit: 3 }, { status: 'not run' }] })
})

test('continues after a failure on request, so that it is not a failure of the call', async () => {
  const { run } = session()
  const { text, failed } = await run(['exit 3', 'echo after'], { keep_going: true })
  expect(failed).toBeUndefined()
  expect(text).toBe('$ exit 3\n[exit 3]\n$ echo after\nafter\n[exit 0]')
})

test('parallel commands all run, and a line lists those after the first failure', async () => {
  const { run } = session()
  const started = performance.now()
  const { text, failed } = await run(['sleep 0.4', 'exit 2', 'sleep 0.4; echo late'], { parallel: true })
  expect(performance.now() - started).toBeLessThan(4000)
  expect(failed?.code).toBe('command_failed')
  expect(text).toBe('$ sleep 0.4\n[exit 0]\n$ exit 2\n[exit 2]\n[$ sleep 0.4; echo late: exit 0]')
})

test('only a plain cd changes the directory of later commands', async () => {
  const { dir, run } = session()
  const { text } = await run([
    'mkdir -p out/deep',
    'cd out',
    'cd "deep"',
    'basename "$PWD"',
    'cd ..',
    'basename "$PWD"',
  ])
  expect(text).toContain('$ basename "$PWD"\ndeep\n[exit 0]\n$ cd ..\n[exit 0]\n$ basename "$PWD"\nout\n')
  const other = await run(['cd web && true', 'pwd', { command: 'pwd', cwd: 'web' }])
  expect(other.text).toContain(`$ pwd\n${dir}\n[exit 0]\n$ pwd\n${join(dir, 'web')}\n`)
})

test('nothing runs after a failed cd, even if the batch continues after failures', async () => {
  const { run } = session()
  const { text } = await run(['cd gone', 'pwd', 'cd ..', 'pwd', { command: 'pwd', cwd: 'web' }], {
    keep_going: true,
  })
  expect(text).toMatch(
    /^\$ cd gone\n\[gone does not exist\]\n\$ pwd\n\[not run\]\n\$ cd \.\.\n\[not run\]\n\$ pwd\n\[not run\]\n\$ pwd\n.*\/web\n/,
  )
})

test.each([
  ['web', 'not run'],
  ['web/deep', 'not run'],
  ['./web', 'not run'],
  ['website', 'ran'],
  ['other', 'ran'],
])('after a failed cd to web, a command in %s is %s', async (cwd, outcome) => {
  const { dir, run } = session()
  for (const name of ['website', 'other']) mkdirSync(join(dir, name))
  renameSync(join(dir, 'web'), join(dir, 'moved'))
  const { text } = await run(['cd web', { command: 'echo ran', cwd }], { keep_going: true })
  expect(text).toContain(outcome === 'ran' ? '$ echo ran\nran' : '$ echo ran\n[not run]')
})

test('checks later commands in the directory of a previous cd', async () => {
  const { run } = session({
    mode: 'ask',
    rules: [
      { action: 'allow', tool: '*', command: 'cd *' },
      { action: 'allow', tool: '*', command: 'touch *' },
      { action: 'deny', tool: '*', path: 'web/kept/**', reason: 'kept' },
    ],
  })
  const denied = await run(['cd web', 'cd kept', 'touch x'])
  expect(denied.failed).toMatchObject({ code: 'denied' })
  expect((await run(['cd web', 'touch x'])).failed).toBeUndefined()
  expect((await run(['cd ../..', 'touch x'])).failed?.code).toBe('outside_workspace')
})

test('the call needs approval if one command does, and a denial runs none', async () => {
  const { dir, run } = session({ mode: 'auto', trusted: true })
  const asked: unknown[] = []
  const result = await run(
    ['ls', `curl -o '${join(dir, 'web/x')}' http://127.0.0.1:9`, 'touch made'],
    {},
    {
      gate: {
        ask: async (request) => {
          asked.push(request)
          return { allow: false, why: 'no' }
        },
      },
    },
  )
  expect(asked).toHaveLength(1)
  expect(result.failed?.code).toBe('denied')
  expect((await run(['ls'])).text).not.toContain('made')
})

test('checks the standard input of a program together with the program', async () => {
  const { run } = session({ mode: 'auto', trusted: true })
  expect((await run([{ command: 'bash', stdin: 'rm -rf web' }])).failed?.code).toBe('denied')
  expect((await run([{ command: 'xargs cat', stdin: '/etc/hostname' }])).failed?.code).toBe('denied')
})

test('does not enter a directory that was replaced by a link after the check', async () => {
  const { dir, run } = session()
  const far = realpathSync(scratch())
  writeFileSync(join(far, 'secret'), 's')
  const { text, failed } = await run([`rmdir web; ln -s ${quoteWord(far)} web`, 'cd web', 'ls'])
  expect(failed?.code).toBe('denied')
  expect(text).not.toContain('secret')
  symlinkSync(far, join(dir, 'out'))
  expect((await run(['cd out', 'ls'])).failed?.code).toBe('outside_workspace')
})

test('a timeout ends the running command and all later ones', async () => {
  const { run } = session()
  const { failed, text } = await run([{ command: 'sleep 60', timeout_ms: 100 }, 'echo never'])
  expect(failed?.code).toBe('timeout')
  expect(text).toContain('[$ echo never: not run]')
})

test.each([
  [[], {}],
  [['x'], { timeout_ms: 0 }],
  [Array(21).fill('true'), {}],
  [[''], {}],
])('refuses %j with %j', async (commands, rest) => {
  expect((await session().run(commands, rest)).failed?.code).toBe('bad_args')
})
