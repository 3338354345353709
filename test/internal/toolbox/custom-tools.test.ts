// Custom tools: modules and programs of real directories, valid and invalid, described and called
// in real processes.
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCustomTools, type ToolTier } from '../../../internal/toolbox/custom-tools.ts'
import { call, ctxWith } from '../../support/ctx.ts'
import { run } from '../../support/run.ts'
import { plant, scratch } from '../../support/scratch.ts'

const record = (fields: string, body = "return 'x'") =>
  `export default { name: 'one', description: 'Does it', ${fields}\n execute: async (input) => { ${body} } }`

function tiersWith(files: Readonly<Record<string, string>>) {
  const home = scratch()
  for (const dir of ['tools', 'bin', 'later']) mkdirSync(join(home, dir))
  plant(home, files)
  for (const name of Object.keys(files))
    if (name.startsWith('bin/') && !name.endsWith('.md')) chmodSync(join(home, name), 0o755)
  const user: ToolTier = { modules: join(home, 'tools'), programs: join(home, 'bin'), isWorkspaces: false }
  const project: ToolTier = { modules: join(home, 'later'), isWorkspaces: true }
  const load = (timeoutMs = 5000) =>
    loadCustomTools({ tiers: [user, project], run, cacheDir: join(home, 'cache'), timeoutMs })
  return { home, load, ctx: ctxWith({ processes: { run } }, { cwd: home, agent: { model: 'openai/m' } }) }
}

const greeting = `console.log('loaded')
const greet = {
  name: 'greet',
  description: 'Greets somebody',
  system_prompt: 'Only when asked.',
  permission: 'auto_read',
  input_schema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
  execute({ who }, context) {
    console.log('called')
    if (who === '') return { result: 'nobody', is_error: true }
    if (who === 'throw') throw new Error('no such person')
    if (who === 'exit') process.exit(0)
    if (who === 'hang') return new Promise(() => undefined)
    const { model_name, workspace_root, runtime_deadline } = context
    const left = runtime_deadline - Date.now()
    return [who, model_name, workspace_root === process.cwd(), left > 0 && left <= 120_000].join(' ')
  },
}
export default [greet, { ...greet, name: 'Wave It', permission: undefined, execute: () => ({ result: { a: 1 } }) }]
`

test('a module contains tools, each with its description', async () => {
  const { load, ctx } = tiersWith({ 'tools/greet.mjs': greeting, 'tools/notes.txt': 'no module' })
  const { tools, diagnostics } = await load()
  expect(diagnostics).toEqual([])
  expect(tools.map(({ tool, guidance }) => [tool.name, tool.level, guidance])).toEqual([
    ['fn__greet', 'auto_read', 'Only when asked.'],
    ['fn__wave_it', 'confirm_execute', 'Only when asked.'],
  ])
  const [greet, wave] = tools.map(({ tool }) => tool)
  if (!greet || !wave) throw new Error('no tools')
  const greeted = (who: string) => call(greet, { who }, ctx)
  expect((await greeted('ö')).text).toBe('ö openai/m true true')
  expect((await call(wave, { who: 'x' }, ctx)).text).toBe('{"a":1}')
  for (const [who, text] of [
    ['', /^error command_failed: fn__greet failed\nnobody$/],
    ['throw', /failed\nError: no such person/],
    ['exit', /ended without a result\nloaded\ncalled$/],
    ['hang', /ended with exit code 13/],
  ] as const) {
    const result = await greeted(who)
    expect(result.failed?.code, who).toBe('command_failed')
    expect(result.text).toMatch(text)
  }
})

test('ends a call at its time limit', async () => {
  const { load, ctx } = tiersWith({
    'tools/a.mjs': record('timeout_seconds: 0.3,', 'for (;;) ;'),
  })
  const [one] = (await load()).tools
  if (!one) throw new Error('no tool')
  expect((await call(one.tool, {}, ctx)).failed?.code).toBe('timeout')
})

const schema = (text: string) => record(`input_schema: ${text},`)
const field = (text: string) => schema(`{ type: 'object', properties: { a: ${text} } }`)

test('reports each unusable file as a diagnostic, and loads the rest', async () => {
  const wrong: Readonly<Record<string, readonly [string, RegExp]>> = {
    throws: ["throw new Error('broken\\nmore')", /exit code 1 when asked to describe itself: broken$/],
    exits: ['process.exit(0)', /not JSON/],
    hangs: ['await new Promise((resolve) => setTimeout(resolve, 60_000))', /within 1500 ms/],
    syntax: ['export default {', /exit code 1/],
    nothing: ['export const a = 1', /a tool is not an object/],
    nameless: ["export default { description: 'x', execute() {} }", /a tool has an unusable name/],
    described: ["export default { name: 'x', execute() {} }", /x has no description/],
    lifeless: ["export default { name: 'x', description: 'x' }", /x has no execute/],
    greedy: ["export default { name: 'x', description: 'x', execute(a, b, c) {} }", /3 parameters/],
    level: [record("permission: 'delegated',"), /one may not have the permission delegated/],
    text: [schema("'text'"), /not of type object/],
    union: [field("{ anyOf: [{ type: 'string' }] }"), /a has anyOf/],
    types: [field("{ type: ['string', 'null'] }"), /a has several types/],
    deep: [field("{ type: 'object', properties: { b: { type: 'string' } } }"), /a is an object with fields/],
    lists: [field("{ type: 'array', items: { type: 'array' } }"), /a is a list of lists/],
  }
  const files = Object.entries(wrong).map(([name, [text]]) => [`tools/${name}.mjs`, text] as const)
  const { home, load } = tiersWith({ ...Object.fromEntries(files), 'tools/z.mjs': record('') })
  const { tools, diagnostics } = await load(1500)
  expect(tools.map(({ tool }) => tool.name)).toEqual(['fn__one'])
  for (const [name, [, why]] of Object.entries(wrong)) {
    const ours = diagnostics.filter((line) => line.startsWith(`${join(home, 'tools', name)}.mjs: `))
    expect(ours, name).toEqual([expect.stringMatching(why)])
  }
})

test('a later tier wins, within one tier the first tool wins, and a tool of a workspace cannot set its level', async () => {
  const named = (about: string, more = '') =>
    record(`permission: 'auto_read', ${more}`).replace('Does it', about)
  const { home, load } = tiersWith({
    'tools/a.mjs': named('first'),
    'tools/b.js': named('second').replace('export default', 'module.exports ='),
    'later/c.mjs': named('third'),
  })
  const { tools, diagnostics } = await load()
  expect(tools.map(({ tool }) => [tool.about, tool.level])).toEqual([['third', 'confirm_execute']])
  expect(diagnostics).toEqual([
    `${join(home, 'tools/b.js')}: fn__one is left out, because ${join(home, 'tools/a.mjs')} has one of that name`,
  ])
})

test('does not run a module of a workspace that has changed since it was loaded', async () => {
  const { home, load, ctx } = tiersWith({ 'later/a.mjs': record('', "return 'trusted'") })
  const [one] = (await load()).tools
  if (!one) throw new Error('no tool')
  expect((await call(one.tool, {}, ctx)).text).toBe('trusted')
  writeFileSync(join(home, 'later/a.mjs'), record('', "return 'changed'"))
  const { failed } = await call(one.tool, {}, ctx)
  expect(failed).toMatchObject({ code: 'unavailable', message: expect.stringContaining('has changed') })
})

test('reads a module once, and again after a change', async () => {
  const { home, load } = tiersWith({ 'tools/a.mjs': record('') })
  await load()
  // size and time are equal, so the module is not read again
  const path = join(home, 'tools/a.mjs')
  utimesSync(path, 1, 1)
  await load()
  writeFileSync(path, record('').replace('Does it', 'Does so'))
  utimesSync(path, 1, 1)
  expect((await load()).tools[0]?.tool.about).toBe('Does it')
  utimesSync(path, 2, 2)
  expect((await load()).tools[0]?.tool.about).toBe('Does so')
})

test('describes programs by their page or their help, and passes them arguments', async () => {
  const { home, load, ctx } = tiersWith({
    'bin/deploy': '#!/bin/sh\nfor word; do echo "[$word]"; done\n',
    'bin/deploy.md': '---\ndescription: Deploys it\npermission: external_read\n---\n\nTests first.\n',
    'bin/helped': '#!/bin/sh\necho; echo "usage: helped FILE"; exit 1\n',
    'bin/mute': '#!/bin/sh\n',
    'bin/README.md': 'not a program',
  })
  const { tools, diagnostics } = await load()
  expect(tools.map(({ tool, guidance }) => [tool.name, tool.level, tool.about, guidance])).toEqual([
    ['cli__deploy', 'external_read', 'Deploys it', 'Tests first.'],
    ['cli__helped', 'confirm_execute', 'usage: helped FILE', undefined],
  ])
  expect(diagnostics).toEqual([`${join(home, 'bin/mute')}: has no description`])
  const [deploy] = tools
  if (!deploy) throw new Error('no tool')
  expect((await call(deploy.tool, { args: ['a b', '$HOME;'] }, ctx)).text).toBe('[a b]\n[$HOME;]')
})
