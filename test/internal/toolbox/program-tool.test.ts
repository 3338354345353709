// Toolbox programs that run: arguments, results, every kind of failure, with real shell and node scripts.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProgramTool } from '../../../internal/toolbox/program-tool.ts'
import { call, ctxWith } from '../../support/ctx.ts'
import { run } from '../../support/run.ts'
import { scratchWith } from '../../support/scratch.ts'

function program(text: string, extra: Record<string, unknown> = {}, cwd?: string) {
  const dir = scratchWith({ program: text })
  const path = join(dir, 'program')
  chmodSync(path, 0o755)
  const tool = createProgramTool(
    path,
    { name: 'p', description: 'Does it', args: { a: 'string?' }, ...extra },
    10,
  )
  return { tool, dir, ctx: ctxWith({ processes: { run } }, { cwd: cwd ?? dir }) }
}

test('passes arguments as JSON on standard input, in the workspace, without secrets', async () => {
  const { tool, ctx, dir } = program(
    `#!/usr/bin/env node
let text = ''
process.stdin.on('data', (chunk) => { text += chunk }).on('end', () => {
  const { TOOLBOX_ACTION, MY_TOKEN } = process.env
  console.log(JSON.stringify({ args: JSON.parse(text), cwd: process.cwd(), TOOLBOX_ACTION, MY_TOKEN }))
})
`,
  )
  const { text, data, failed } = await call(tool, { a: 'ö "quoted"\n' }, ctx)
  expect(failed).toBeUndefined()
  expect(JSON.parse(text)).toEqual({ args: { a: 'ö "quoted"\n' }, cwd: dir, TOOLBOX_ACTION: 'execute' })
  expect(data).toMatchObject({ exit: 0, signal: null, stderr: '' })
})

test('passes the workspace in a variable', async () => {
  const { tool, ctx } = program('#!/bin/sh\necho "$TOOLBOX_WORKSPACE"\n')
  expect((await call(tool, {}, ctx)).text).toBe(ctx.policy.roots.workspace)
})

test.each([
  ['Deploy It!', 'deploy_it'],
  ['Deploy', 'deploy'],
  ['  a  b ', 'a_b'],
  ['../x', 'x'],
  ['Größe', 'gro_e'],
  ['déjà-vu', 'deja-vu'],
  ['a__b', 'a__b'],
  ['-rf', 'rf'],
  ['a\u001b[31m', 'a_31m'],
])('a program with the name %j is tb__%s', (name, expected) => {
  expect(program('', { name }).tool.name).toBe(`tb__${expected}`)
})

test.each(['', '!!', '7up', '日本', 3, null, 'x'.repeat(61), '__'])('rejects %j as a name', (name) => {
  expect(() => program('', { name })).toThrow(/unusable name/)
})

test('a program that ignores its input and prints nothing succeeds', async () => {
  const { tool, ctx } = program('#!/bin/sh\nexec 0<&-\nexit 0\n')
  expect(await call(tool, { a: 'x'.repeat(1 << 20) }, ctx)).toMatchObject({ text: 'tb__p printed nothing' })
})

test.each([
  ['exit 3', { exit: 3, stdout: 'out\n', stderr: 'err\n' }, 'ended with exit code 3'],
  ['kill -9 $$', { exit: null, signal: 'SIGKILL' }, 'was ended by SIGKILL'],
])('%s is a failed command with its output', async (end, data, why) => {
  const { tool, ctx } = program(`#!/bin/sh\necho out\necho err >&2\n${end}\n`)
  const result = await call(tool, {}, ctx)
  expect(result.failed).toMatchObject({ code: 'command_failed', message: expect.stringContaining(why) })
  expect(result.data).toMatchObject(data)
  expect(result.text).toMatch(/out/)
  expect(result.text).toMatch(/err/)
})

test('its time limit ends it, with the output so far', async () => {
  const { tool, ctx } = program('#!/bin/sh\necho begun\nexec sleep 60\n', { timeout_seconds: 0.5 })
  const result = await call(tool, {}, ctx)
  expect(result.failed).toMatchObject({ code: 'timeout' })
  expect(result.text).toContain('begun')
})

test('the signal ends it', async () => {
  const { tool, ctx } = program('#!/bin/sh\nexec sleep 60\n')
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 50)
  const result = await call(tool, {}, { ...ctx, signal: stop.signal })
  expect(result.failed).toMatchObject({ code: 'cancelled' })
})

test('is not available without a runner', () => {
  const { tool } = program('')
  expect(tool.available?.(ctxWith())).toMatch(/cannot be started/)
  expect(tool.available?.(ctxWith({ processes: { run } }))).toBe(true)
})

test('has the requested level, and needs approval without one', () => {
  expect(program('').tool.level).toBe('confirm_execute')
  for (const permission of [
    'auto_read',
    'external_read',
    'state_write',
    'confirm_write',
    'confirm_execute',
  ]) {
    expect(program('', { permission }).tool.level).toBe(permission)
    const described = { name: 'p', description: 'Does it', permission }
    expect(createProgramTool('/ws/.anode/p', described, 10, true).level).toBe('confirm_execute')
  }
  for (const permission of ['interactive', 'delegated'])
    for (const isWorkspaces of [false, true])
      expect(() =>
        createProgramTool('/p', { name: 'p', description: 'x', permission }, 10, isWorkspaces),
      ).toThrow(permission)
})
