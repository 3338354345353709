// Process plugins: what they offer, faults kept apart, vetoes with a time limit, events, the cache.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Event } from '../../../internal/event/event.ts'
import { openPlugins, type PluginSet } from '../../../internal/plugin/plugins.ts'
import { createRunner } from '../../../internal/process/run-command.ts'
import { call, ctxWith } from '../../support/ctx.ts'
import { scratch } from '../../support/scratch.ts'
import { root } from '../../support/sources.ts'

const never = new AbortController().signal
const source = join(root, 'test', 'support', 'plugins', 'fake.mjs')

/** Creates a directory for copies of the fake plugin and a runner that ends with the test. */
function ground() {
  const dir = scratch()
  const cache = join(dir, 'cache')
  const env = { PATH: process.env.PATH, HOME: dir }
  const runner = createRunner({ dataDir: join(dir, 'data'), env })
  const opened: PluginSet[] = []
  onTestFinished(async () => {
    for (const plugins of opened) await plugins.close()
    await runner.close()
  })
  const means = { spawn: runner.spawn, workspace: dir, version: '0', startMs: 3000, callMs: 500 }
  return {
    dir,
    path: (name: string) => join(dir, name),
    log: (name: string) =>
      existsSync(join(dir, `${name}.log`)) ? readFileSync(join(dir, `${name}.log`), 'utf8') : '',
    async open(names: readonly string[], own = false): Promise<PluginSet> {
      mkdirSync(dir, { recursive: true })
      for (const name of names) if (!existsSync(join(dir, name))) copyFileSync(source, join(dir, name))
      const settings = names.map((name) => ({ path: join(dir, name), own }))
      const plugins = await openPlugins(settings, cache, { ...means, callMs: 30_000 }, never)
      opened.push(plugins)
      return plugins
    },
    async quick(name: string): Promise<PluginSet> {
      copyFileSync(source, join(dir, name))
      const plugins = await openPlugins([{ path: join(dir, name), own: false }], cache, means, never)
      opened.push(plugins)
      return plugins
    },
  }
}

function echo(plugins: PluginSet, name: string, over: Parameters<typeof ctxWith>[1] = {}) {
  const found = plugins.tools.find(({ tool }) => tool.name === `plugin__${name}__echo`)
  if (!found)
    throw new Error(`no ${name} among ${plugins.tools.map(({ tool }) => tool.name)}: ${plugins.notes}`)
  return call(found.tool, { message: 'hi' }, ctxWith({}, over)).catch(
    (error: { failure?: { code: string } }) => {
      if (error.failure === undefined) throw error
      return { text: '', data: null, failed: error.failure }
    },
  )
}

test('loads the tools of good plugins, and reports bad plugins', async () => {
  const { open } = ground()
  const plugins = await open(['good', 'mute', 'crash', 'future'])
  expect(plugins.tools.map(({ tool, origin }) => [tool.name, tool.level, origin])).toEqual([
    ['plugin__good__echo', 'confirm_execute', 'plugin good'],
  ])
  const { text, data } = await echo(plugins, 'good', { thread: 'sess_1' })
  expect([text, data]).toEqual(['Echo: hi', { thread: 'sess_1' }])
  const notes = plugins.notes.join('\n')
  expect(notes).toMatch(/mute: .*did not answer initialize within 3000 ms/)
  expect(notes).toMatch(/crash: .*no licence found/s)
  expect(notes).toMatch(/future: .*protocol version 9/)
})

test('the tool list of a plugin is cached until its file changes, and the plugin starts on its first call', async () => {
  const { open, log, path } = ground()
  await (await open(['good'])).close()
  expect(log('good')).toBe('initialize\ntools/list\n')
  const again = await open(['good'])
  expect(again.tools).toHaveLength(1)
  expect(log('good')).toBe('initialize\ntools/list\n')
  await echo(again, 'good')
  expect(log('good')).toBe('initialize\ntools/list\ninitialize\ntools/call\n')
  utimesSync(path('good'), 1, 1)
  await open(['good'])
  expect(log('good')).toMatch(/tools\/call\ninitialize\ntools\/list\n$/)
})

test('a plugin of a workspace cannot lower the level of its tools', async () => {
  const { open } = ground()
  expect((await open(['mild'])).tools[0]?.tool.level).toBe('auto_read')
  expect((await open(['mild'], true)).tools[0]?.tool.level).toBe('confirm_execute')
})

test.each([
  ['fail', 'command_failed'],
  ['error', 'command_failed'],
  ['die', 'interrupted'],
  ['flood', 'interrupted'],
  ['junk', 'interrupted'],
])('a call of the plugin that would %s ends as %s', async (fault, code) => {
  const { open } = ground()
  const plugins = await open([fault, 'good'])
  expect((await echo(plugins, fault)).failed?.code).toBe(code)
  expect((await echo(plugins, 'good')).text).toBe('Echo: hi')
})

test('a call that stalls ends at its limit or with the run', async () => {
  const { quick } = ground()
  const plugins = await quick('stall')
  expect((await echo(plugins, 'stall')).failed?.code).toBe('timeout')
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 50)
  expect((await echo(plugins, 'stall', { signal: stop.signal })).failed?.code).toBe('cancelled')
})

test('restarts a plugin that dies three times, and then no more', async () => {
  const { open } = ground()
  const plugins = await open(['die'])
  const codes: unknown[] = []
  for (let i = 0; i < 5; i++) codes.push((await echo(plugins, 'die')).failed?.code)
  expect(codes).toEqual(['interrupted', 'interrupted', 'interrupted', 'interrupted', 'unavailable'])
})

const verdict = (plugins: PluginSet, tool: string) => plugins.middleware('t', never)?.before?.(tool, {})

test('asks a plugin about the calls that it guards, and a missing answer denies the call unless it is optional', async () => {
  const { open } = ground()
  expect((await open(['good'])).middleware('t', never)).toBeUndefined()
  const veto = await open(['veto'])
  expect(await verdict(veto, 'bash')).toEqual({ deny: 'not today' })
  expect(await verdict(veto, 'read')).toBeUndefined()
  const only = await open(['only'])
  expect(await verdict(only, 'bash')).toEqual({ deny: 'not today' })
  expect(await verdict(only, 'grep')).toBeUndefined()
  expect((await verdict(await open(['silent']), 'bash'))?.deny).toMatch(
    /did not answer run\/decide within 200 ms/,
  )
  expect(await verdict(await open(['lenient']), 'bash')).toBeUndefined()
})

test('a missing plugin that guarded calls denies every call', async () => {
  const { open, path } = ground()
  await (await open(['veto'])).close()
  const { rmSync } = await import('node:fs')
  rmSync(path('veto'))
  const settings = [{ path: path('veto'), own: false }]
  const runner = createRunner({ dataDir: scratch(), env: {} })
  onTestFinished(() => runner.close())
  const means = { spawn: runner.spawn, workspace: '/', version: '0', startMs: 500, callMs: 500 }
  const plugins = await openPlugins(settings, join(path('veto'), '..', 'cache'), means, never)
  expect((await verdict(plugins, 'read'))?.deny).toMatch(/could not be asked/)
})

const faults: Record<string, (path: string) => void> = {
  missing: () => undefined,
  directory: (path) => mkdirSync(path),
  loop: (path) => symlinkSync(path, path),
  'in a file': (path) => writeFileSync(join(path, '..'), ''),
  'not executable': (path) => writeFileSync(path, '#!/bin/sh\n', { mode: 0o644 }),
  'no interpreter': (path) => writeFileSync(path, '#!/no/such/program\n', { mode: 0o755 }),
  'not a program': (path) => writeFileSync(path, '\0\x01\x02', { mode: 0o755 }),
  crash: (path) => writeFileSync(path, '#!/bin/sh\nexit 7\n', { mode: 0o755 }),
  killed: (path) => writeFileSync(path, '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 }),
  hang: (path) => writeFileSync(path, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 }),
  'no frames': (path) => writeFileSync(path, '#!/bin/sh\necho hello\nexec cat\n', { mode: 0o755 }),
  'an empty answer': (path) => writeFileSync(path, answering('{}'), { mode: 0o755 }),
  'another version': (path) => writeFileSync(path, answering('{"protocolVersion":9}'), { mode: 0o755 }),
  'no name': (path) => writeFileSync(path, answering('{"protocolVersion":1}'), { mode: 0o755 }),
}
const answering = (result: string) => {
  const body = `{"jsonrpc":"2.0","id":0,"result":${result}}`
  return `#!/bin/sh\nprintf 'Content-Length: ${body.length}\\r\\n\\r\\n%s' '${body}'\nexec cat >/dev/null\n`
}
const guardedTools = [
  'read',
  'bash',
  'bash_batch',
  'terminal_start',
  'edit_file',
  'create_file',
  'grep',
  'web_fetch',
]

/** Opens a plugin at the path as it is. */
async function openAt(path: string, cache: string, startMs = 700): Promise<PluginSet> {
  const runner = createRunner({ dataDir: scratch(), env: { PATH: process.env.PATH } })
  const means = { spawn: runner.spawn, workspace: '/', version: '0', startMs, callMs: 500 }
  const plugins = await openPlugins([{ path, own: false }], cache, means, never)
  onTestFinished(async () => {
    await plugins.close()
    await runner.close()
  })
  return plugins
}

test.each(Object.entries(faults))('a plugin that never answered denies every tool: %s', async (_, make) => {
  const path = join(scratch(), 'sub', 'guard')
  if (make !== faults['in a file']) mkdirSync(join(path, '..'))
  make(path)
  const plugins = await openAt(path, scratch())
  expect(plugins.notes).toEqual([expect.stringContaining(path)])
  for (const tool of guardedTools)
    expect(await verdict(plugins, tool)).toEqual({
      deny: expect.stringContaining(`${path} could not be asked`),
    })
})

test.each(Object.entries(faults))(
  'a plugin without vetoes that has changed may be a guard now: %s',
  async (fault, make) => {
    const [path, cache] = [join(scratch(), 'good'), scratch()]
    if (fault === 'in a file') return
    copyFileSync(source, path)
    const before = await openAt(path, cache, 30_000)
    expect(await verdict(before, 'bash')).toBeUndefined()
    rmSync(path)
    make(path)
    const after = await verdict(await openAt(path, cache), 'bash')
    if (fault === 'missing') expect(after).toBeUndefined()
    else expect(after?.deny).toContain('could not be asked')
  },
)

const answers: [string, boolean][] = [
  ...['null', '{}', '{"decision":"allow"}', '{"decision":null}'].map((one): [string, boolean] => [one, true]),
  ...['"deny"', '"allow it"', 'true', '7', '{"decision":"deny"}', '{"decision":"block"}'].map(
    (one): [string, boolean] => [one, false],
  ),
  ...['{"decision":"Deny"}', '{"decision":true}', '{"decision":["deny"]}', '{"decision":{}}'].map(
    (one): [string, boolean] => [one, false],
  ),
]
test.each(answers)('the answer %s passes: %s', async (answer, passes) => {
  const { open, path, dir } = ground()
  mkdirSync(dir, { recursive: true })
  writeFileSync(`${path('asked')}.json`, `{"decide":true,"answer":${answer}}`)
  expect((await verdict(await open(['asked']), 'bash')) === undefined).toBe(passes)
})

test.each([
  '"yes"',
  '7',
  '{"tools":"bash"}',
  '{"tools":[5]}',
  '{"tools":{}}',
  '{"timeoutMs":"1"}',
  '{"timeoutMs":-1}',
])('a guard that declares %s denies every tool', async (decide) => {
  const { open, path, dir } = ground()
  mkdirSync(dir, { recursive: true })
  writeFileSync(`${path('odd')}.json`, `{"decide":${decide}}`)
  const plugins = await open(['odd'])
  for (const tool of guardedTools)
    expect((await verdict(plugins, tool))?.deny).toContain('its capability decide is')
})

test('a guard of one tool is asked about all that do the same', async () => {
  const { open, path, dir } = ground()
  mkdirSync(dir, { recursive: true })
  const guards: [string, string[], string[]][] = [
    ['shells', ['bash'], ['bash', 'bash_batch', 'terminal_start', 'terminal_write', 'run_experiment']],
    ['readers', ['read'], ['read', 'multi_read', 'grep', 'finder', 'look_at']],
    ['writers', ['edit_*'], ['edit_file', 'create_file', 'apply_patch', 'fs_move', 'undo']],
  ]
  for (const [name, tools] of guards)
    writeFileSync(`${path(name)}.json`, JSON.stringify({ decide: { tools }, answer: { decision: 'deny' } }))
  for (const [name, , covered] of guards) {
    const plugins = await open([name])
    for (const [, , others] of guards)
      for (const tool of others)
        expect([name, tool, (await verdict(plugins, tool)) !== undefined]).toEqual([
          name,
          tool,
          covered.includes(tool),
        ])
  }
})

test('a broken cache is read as an empty one', async () => {
  for (const text of [
    '',
    '[',
    '5',
    '[]',
    '{"PATH":5}',
    '{"PATH":{}}',
    '{"PATH":{"said":null,"tools":[]}}',
    '{"PATH":{"said":{}}}',
  ]) {
    const [path, cache] = [join(scratch(), 'good'), scratch()]
    writeFileSync(join(cache, 'plugins.json'), text.replace('PATH', path))
    expect((await verdict(await openAt(path, cache), 'bash'))?.deny).toContain('could not be asked')
  }
})

test('events arrive in order, all of them before the end', async () => {
  const { open, log } = ground()
  const plugins = await open(['watch'])
  const event = (type: string) =>
    ({ id: '1', run_id: 'r', seq: 1, ts: 1, type, payload: {} }) as unknown as Event
  const types = ['system.init', 'message', 'tool.call', 'tool.result', 'run.ended']
  for (const type of types) plugins.event('t', event(type))
  await plugins.close()
  const told = log('watch')
    .split('\n')
    .filter((line) => types.includes(line))
  expect(told).toEqual(types)
})

const oddAnswers = {
  none: { capabilities: null },
  number: { capabilities: 5 },
  list: { capabilities: [] },
  nothing: { tools: [null] },
  text: { tools: ['echo'] },
  missing: { tools: null },
}
test.each(Object.entries(oddAnswers))(
  'an odd answer (%s) is at most a note, and others load',
  async (name, own) => {
    const { open, path } = ground()
    writeFileSync(path(`${name}.json`), JSON.stringify(own))
    const plugins = await open([name, 'good'])
    expect(plugins.tools.map(({ tool }) => tool.name)).toEqual(['plugin__good__echo'])
    expect(plugins.notes.join()).not.toContain('TypeError')
    expect(plugins.notes.join()).not.toContain('Cannot')
  },
)
