// A session for direct calls on real files: recorded calls, unrecorded calls, and the results of doctor.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  type DirectCallOptions,
  openDirectCallLog,
  openDirectCalls,
} from '../../../../internal/service/calls/direct-call.ts'
import { runDoctorChecks } from '../../../../internal/service/doctor/doctor.ts'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { authorizeRaw } from '../../../../internal/tool/authorization/authorize-raw.ts'
import type { ToolEntry } from '../../../../internal/tool/catalog.ts'
import { invoke } from '../../../../internal/tool/invoke.ts'
import { parseArguments } from '../../../../internal/tool/parse.ts'
import { accessOf } from '../../../support/ctx.ts'

let dir: string
let options: DirectCallOptions
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-session-')))
  writeFileSync(join(dir, 'a.txt'), 'one\n')
  options = {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: dir, ANODE_DATA_DIR: join(dir, 'data') },
    signal: new AbortController().signal,
    mode: 'ask',
    approval: 'none',
    addDirs: [],
    record: 'changes',
    terminal: undefined,
  }
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it('opens no database for a read', async () => {
  const session = await openDirectCalls(options)
  const result = await invoke(session.catalog, session.ctx, { name: 'read', args: { path: 'a.txt' } })
  await session.close()
  expect(result.failed).toBeUndefined()
  expect(existsSync(join(dir, 'data', 'anode.db'))).toBe(false)
})

it('denies a call without approval, and runs it under the flag', async () => {
  const args = { path: 'b.txt', content: 'two\n' }
  const closed = await openDirectCalls(options)
  expect((await invoke(closed.catalog, closed.ctx, { name: 'create_file', args })).failed?.code).toBe(
    'denied',
  )
  await closed.close()
  const open = await openDirectCalls({ ...options, mode: 'unrestricted', approval: 'flag' })
  expect((await invoke(open.catalog, open.ctx, { name: 'create_file', args })).failed).toBeUndefined()
  await open.close()
  expect(existsSync(join(dir, 'b.txt'))).toBe(true)
})

it('records a change before it happens, and a read only on request', async () => {
  const store = await openStore(join(dir, 'data'))
  const log = (record: 'changes' | 'always') =>
    openDirectCallLog({ store: async () => store, workspace: dir, profile: '', record })
  const call = (effect: string) =>
    ({ type: 'tool.call', payload: { call: 'c', tool: 't', args: {}, effect } }) as const
  const quiet = log('changes')
  await quiet.append(call('read'))
  await quiet.append({ type: 'tool.result', payload: { call: 'c', tool: 't', ok: true, text: '' } })
  expect(quiet.thread()).toBeUndefined()
  const changing = log('changes')
  await changing.append(call('write'))
  expect(store.threads.events(changing.thread() as string)).toHaveLength(1)
  const all = log('always')
  await all.append(call('read'))
  expect(store.threads.events(all.thread() as string)).toHaveLength(1)
  store.close()
})

it('finds working tools and lists broken ones', async () => {
  const fine = await runDoctorChecks(options)
  expect(fine.filter(({ state }) => state === 'broken')).toEqual([])
  writeFileSync(join(dir, 'anode.json'), '{')
  expect(
    (await runDoctorChecks(options)).some(
      ({ state, what }) => state === 'broken' && what === 'configuration',
    ),
  ).toBe(true)
})

it('rejects a blocked program also behind wrappers and under the flag', async () => {
  writeFileSync(join(dir, 'anode.json'), JSON.stringify({ shell: { blocked: ['curl'] } }))
  const env = { ...options.env, ANODE_CONFIG: join(dir, 'anode.json') }
  const session = await openDirectCalls({ ...options, env, mode: 'unrestricted', approval: 'flag' })
  const codes: (string | undefined)[] = []
  for (const command of ['true', 'env X=1 timeout 5 "cu"rl x', 'echo $(curl x)', 'echo curl'])
    codes.push((await invoke(session.catalog, session.ctx, { name: 'bash', args: { command } })).failed?.code)
  await session.close()
  expect(codes).toEqual([undefined, 'denied', 'denied', undefined])
})

it('reads the files of skills, and writes none of them', async () => {
  const skill = join(dir, '.config', 'anode', 'skills', 'own')
  const work = join(dir, 'work')
  for (const made of [skill, work]) mkdirSync(made, { recursive: true })
  writeFileSync(join(skill, 'table.txt'), 'helper\n')
  const env = { ...options.env, XDG_CONFIG_HOME: join(dir, '.config') }
  const session = await openDirectCalls({
    ...options,
    env,
    cwd: work,
    mode: 'unrestricted',
    approval: 'flag',
  })
  const call = (name: string, args: Record<string, unknown>) =>
    invoke(session.catalog, session.ctx, { name, args })
  const path = join(skill, 'table.txt')
  const read = await call('read', { path })
  const written = await call('create_file', { path: `${path}.new`, content: 'x' })
  await session.close()
  expect(read).toMatchObject({ text: expect.stringContaining('helper') })
  expect(written.failed?.code).toBe('outside_workspace')
})

it('explains a call in the notation of another program with its meaning there', async () => {
  const session = await openDirectCalls(options)
  const entry = session.catalog.find('shell_command') as ToolEntry
  const args = { command: ['rm', '-r', 'a b'], workdir: 'sub', justification: 'why' }
  const { lines } = await session.explain(entry, args, 'thread', 'shell_command')
  const odd = { command: 'ls', wobble: 1 }
  await expect(session.explain(entry, odd, 'thread')).rejects.toThrow('unknown parameter wobble')
  await session.close()
  expect(lines.join('\n')).toContain("rm -r 'a b'")
})

it('without the flag runs only reading tools, by level, for every tool', async () => {
  const session = await openDirectCalls({ ...options, onlyReads: true })
  const open = new Set(['auto_read', 'external_read', 'interactive'])
  for (const entry of session.catalog.entries) {
    const tool = await entry.load()
    const { action } = await authorizeRaw(tool, entry.example, session.ctx)
    const parsed = parseArguments(tool.input, entry.example)
    const level = (parsed.ok && accessOf(tool, parsed.args, session.ctx).level) || entry.level
    expect([entry.name, action]).toEqual([entry.name, open.has(level) ? 'allow' : 'ask'])
  }
  await session.close()
})
