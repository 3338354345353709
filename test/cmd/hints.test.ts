// Hints of rejected commands: each suggested command exists and is accepted, for every command and tool.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findMeantCommands, nameFlagOwners } from '../../cmd/anode/refused-line/meant-commands.ts'
import { gatherArguments } from '../../cmd/anode/tools/arguments.ts'
import type { CommandIo } from '../../cmd/anode/verb.ts'
import type { UserError } from '../../internal/base/errors.ts'
import { loadNativeEntries } from '../../internal/runtime/tools/tool-registry.ts'
import { type World, world } from '../support/anode.ts'
import { verbOf, wordsOf } from '../support/command-lines.ts'
import { everyVerb } from '../support/commands.ts'
import { root } from '../support/sources.ts'

const verbs = await everyVerb()
const names = new Set(verbs.map(({ command }) => command.name))
/** Returns the commands that a sentence contains. */
const namedIn = (text: string) =>
  text.split(/, | and | or |[?;]/).flatMap((part) => /\banode ([a-z ]+)$/.exec(part)?.[1] ?? [])

let at: World
beforeAll(() => {
  at = world()
})
afterAll(() => at.remove())

describe('a flag of another command', () => {
  const flags = new Set(verbs.flatMap(({ command }) => Object.keys(command.options)))

  it.each([...flags].map((flag) => [flag]))('--%s is pointed to the commands that have it', async (flag) => {
    const said = await nameFlagOwners(flag)
    const owners = namedIn(said.replace(/ and others$/, ''))
    expect(owners.length, said).toBeGreaterThan(0)
    for (const owner of owners) {
      const verb = verbs.find(({ command }) => command.name === owner)?.command
      const own = Object.entries(verb?.options ?? {})
      expect(
        own.some(([name, { alias }]) => name === flag || alias === flag),
        `${owner}: ${said}`,
      ).toBe(true)
    }
  })

  it('lists the commands of a flag, and suggests nothing for an unknown flag', async () => {
    const { code, err } = await at.anode(['execute', 'x', '--workers', '3'])
    expect(code).toBe(2)
    expect(err).toMatch(
      /^anode: unknown flag --workers\n--workers is for anode build, anode study and anode study eval; usage: /,
    )
    expect(await nameFlagOwners('frobnicate')).toBe('')
    expect((await at.anode(['study', 'report', '-m', 'x'])).err).toMatch(/\n-m is for anode execute, /)
    const call = await at.anode(['tools', 'use', 'read', '-W', '--json', '{"path":"a"}'])
    expect(call.err).toMatch(/^anode: unknown flag -W\n/)
  })
})

describe('a word that is not a command', () => {
  const behind = new Set([...names].flatMap((name) => name.split(' ').slice(1)))

  it.each([...behind].map((word) => [word]))(
    '%s is pointed to the commands that contain it',
    async (word) => {
      const said = (await findMeantCommands(word)) as string
      expect(said.startsWith('to call the tool') || /^did you mean anode .*\?$/.test(said), said).toBe(true)
      for (const name of namedIn(said.replace(/ or others\?$/, ''))) {
        if (!said.startsWith('to call')) expect([name, names.has(name)]).toEqual([name, true])
      }
    },
  )

  it('may be the name of a tool', async () => {
    expect((await at.anode(['grep', 'x'])).err).toContain('to call the tool: anode tools use grep')
    expect((await at.anode(['report', 'last'])).err).toContain(
      'did you mean anode build report or anode study report?',
    )
  })

  it('a command of another program gets a hint with a command that exists', async () => {
    const text = readFileSync(join(root, 'cmd/anode/refused-line/foreign-words.ts'), 'utf8')
    const table = text.slice(text.indexOf('const hints'), text.indexOf('const silent'))
    const lines = [...table.matchAll(/\banode [a-z][^,;']*/g)].map(([line]) => line)
    expect(lines.length).toBeGreaterThan(15)
    for (const line of lines.filter((line) => !/^anode (?:opens .*|tools)$/.test(line)))
      expect(await verbOf(wordsOf(line.replace('…', 'why'))), line).toBeTypeOf('object')
  })
})

describe('a word that no parameter claims', async () => {
  const tools = await loadNativeEntries()
  const io = {} as CommandIo

  it.each(tools.map(({ name, schema }) => [name, schema] as const))('%s', async (_, schema) => {
    const word = 'some words of mine'
    const place = (arg: string[], words: string[]) =>
      gatherArguments({ arg, argJson: [], json: undefined, words }, schema, io)
    const refused = await place([], [word]).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (refused === undefined) return
    const hint = (refused as UserError).hint ?? ''
    const proposed = /--arg (\w+)='some words of mine'/.exec(hint)?.[1] as string
    const properties = schema.properties as Record<string, { type?: string; enum?: unknown }>
    if (proposed === 'NAME') return
    const required = (schema.required as string[] | undefined) ?? []
    if (!required.includes(proposed)) expect(properties[proposed]).toMatchObject({ type: 'string' })
    if (!required.includes(proposed)) expect(properties[proposed]?.enum).toBeUndefined()
    expect(await place([`${proposed}=${word}`], [])).toHaveProperty(proposed)
  })
})

describe('a list without rows', () => {
  const lists = verbs.filter(
    ({ command }) =>
      /(?: list| search| mailbox| suggest)$/.test(command.name) && command.name !== 'study mailbox',
  )

  it.each(lists.map(({ command }) => [command.name, command] as const))('anode %s', async (name, verb) => {
    const words = [
      ...name.split(' '),
      ...(verb.positionals ?? []).flatMap(({ required }) => (required ? ['x'] : [])),
    ]
    const { code, out, err } = await at.anode(words)
    expect(code).toBe(0)
    // some lists always have rows
    if (out === '') expect(err).toMatch(/^[A-Z][^\n]*\S\n$/)
    else expect(out.trim().split('\n').length).toBeGreaterThan(1)
    if (!('json' in verb.options)) return
    const json = await at.anode([...words, '--json'])
    expect([json.code, json.err]).toEqual([0, ''])
    JSON.parse(json.out)
  })
})

it('shows a call in the notation of the command', async () => {
  const typed = await at.anode(['permissions', 'explain', 'bash', 'git status'])
  const whole = await at.anode(['permissions', 'explain', 'bash', '--json', '{"command":"git status"}'])
  expect(typed).toEqual(whole)
  expect((await at.anode(['permissions', 'explain', 'bash', '--command', 'git status'])).out).toBe(whole.out)
  expect((await at.anode(['permissions', 'explain', 'bash', '--comand', 'x'])).err).toContain(
    'did you mean --command?',
  )
})

it('treats a word before `last` or an id as an unknown command', async () => {
  for (const words of [
    ['delete', 'last'],
    ['show', '01M84GXFFX'],
    ['open', '01m84gxffx9fd95af93jnz71s4'],
  ]) {
    const { code, err } = await at.anode(['study', ...words])
    expect(code).toBe(2)
    expect(err).toContain(`study has no command ${words[0]}`)
    expect(err).toContain(`anode study -- ${words.join(' ')}`)
  }
  expect((await at.anode(['study', 'report', 'sess_01M84GXA'])).err).toContain(
    'anode threads show sess_01M84GXA',
  )
})

describe('a path that a tool cannot use', async () => {
  const tools = (await loadNativeEntries()).filter(({ example }) => typeof example.path === 'string')
  // Tools that create the path, report per path, or read the past.
  const makers = ['git_history', 'create_file', 'fs_mkdir', 'fs_write', 'undo', 'write_file']
  const reading = tools.filter(({ name }) => !makers.includes(name))
  const use = (name: string, example: object, path: string) =>
    at.anode(['tools', 'use', name, '--json', JSON.stringify({ ...example, path }), '--allow-non-read'])
  beforeAll(() => at.put('source/alpha.ts', 'export const a = 1\n'))

  it.each(reading.map(({ name, example }) => [name, example] as const))('%s', async (name, example) => {
    const missing = await use(name, example, 'source/alpa.ts')
    expect(missing.code).not.toBe(0)
    // a tool that needs a server or a program may fail earlier
    if (missing.err.includes('error unavailable')) return
    expect(missing.err).toContain('did you mean source/alpha.ts?')
    expect((await use(name, example, '/etc/hosts')).err).toContain('--add-dir')
  })
})

it('shows the notation of a call with wrong arguments', async () => {
  const { code, out, err } = await at.anode(['tools', 'use', 'chart'])
  expect(code).toBe(2)
  const line = /anode tools use chart --json '(.*)'/.exec(`${out}${err}`)?.[1] as string
  expect(await at.anode(['tools', 'use', 'chart', '--json', line])).toMatchObject({ code: 0, err: '' })
})

it('uses the same exit code for every call without an approval', async () => {
  for (const line of ['cat /etc/shadow', 'make all'])
    expect([line, (await at.anode(['tools', 'use', 'bash', line])).code]).toEqual([line, 4])
})

it('uses one word for all workspaces', () => {
  for (const { command } of verbs)
    for (const [name, { describe: what }] of Object.entries(command.options))
      if (/(?:all|other) workspaces/.test(what))
        expect([command.name, name]).toEqual([command.name, 'everywhere'])
})
