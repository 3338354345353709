// Process plugins: what they offer, faults kept apart, vetoes with a time limit, events, the cache.
import { copyFileSync, existsSync, mkdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Event } from '../../../internal/event/event.ts'
import { openPlugins, type PluginSet } from '../../../internal/plugin/plugins.ts'
import { createRunner } from '../../../internal/process/process-runner.ts'
import { call, ctxWith } from '../../support/ctx.ts'
import { scratch } from '../../support/scratch.ts'
import { root } from '../../support/sources.ts'

const never = new AbortController().signal
const source = join(root, 'test', 'support', 'plugins', 'fake.mjs')

/** A folder for copies of the fake plugin and a runner that ends with the test. */
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

test('tools of good plugins work, bad ones are noted', async () => {
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

test('what a plugin said of itself is kept until its file changes; it starts on its first call', async () => {
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

test('a plugin of a workspace cannot make its tools milder', async () => {
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

test('a plugin that dies is started three times more, then no longer', async () => {
  const { open } = ground()
  const plugins = await open(['die'])
  const codes: unknown[] = []
  for (let i = 0; i < 5; i++) codes.push((await echo(plugins, 'die')).failed?.code)
  expect(codes).toEqual(['interrupted', 'interrupted', 'interrupted', 'interrupted', 'unavailable'])
})

const verdict = (plugins: PluginSet, tool: string) => plugins.middleware('t', never)?.before?.(tool, {})

test('vetoes: only those asked for, silence refuses unless it may not', async () => {
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

test('a plugin that had a say and is gone refuses everything', async () => {
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
