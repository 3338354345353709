// What a session offers of a registry: optional tools are known to all and shown to few.
import { expect, test } from 'vitest'
import { readProfile } from '../../../../internal/profile/profile-file.ts'
import { visibleTools } from '../../../../internal/runtime/tools/tool-registry.ts'
import type { ToolEntry } from '../../../../internal/tool/catalog.ts'

const entry = (name: string, optional: boolean): ToolEntry => ({
  name,
  level: name === 'move' ? 'confirm_write' : 'auto_read',
  origin: 'native',
  summary: name,
  about: name,
  schema: {},
  example: {},
  spawns: false,
  ...(optional && { optional }),
  load: () => Promise.reject(new Error('nobody runs it')),
})
const entries = [entry('read', false), entry('stat', true), entry('move', true)]
const profile = (tools: string[], readOnly = false) =>
  readProfile({ about: 'a', prompt: 'p', tools, readOnly }, { name: 'mine', origin: 'user', path: '/u' })
const shown = (tools: string[] | undefined, extra?: string[], readOnly = false) =>
  visibleTools(entries, {
    profile: tools && profile(tools, readOnly),
    disabled: [],
    web: true,
    ...(extra && { extra }),
  })
    .filter(({ hidden }) => hidden === undefined)
    .map(({ name }) => name)
    .join(' ')

test.each([
  ['no profile: everything can be run', undefined, undefined, 'read stat move'],
  ['a glob does not offer them', ['*'], undefined, 'read'],
  ['neither does the bare name', ['read', 'stat'], undefined, 'read'],
  ['the qualified name does', ['*', 'anode__stat'], undefined, 'read stat'],
  ['the session does, within the profile', ['*'], ['move'], 'read move'],
  ['but not beyond it', ['read'], ['move'], 'read'],
])('%s', (_, tools, extra, expected) => {
  expect(shown(tools, extra)).toBe(expected)
})

test('a read-only profile hides an optional tool that writes', () => {
  expect(shown(['*', 'anode__*'], ['move'], true)).toBe('read stat')
})

test('the reason explains how a profile can add the tool', () => {
  const [, stat] = visibleTools(entries, { profile: profile(['*']), disabled: [], web: true })
  expect(stat?.hidden).toMatch(/anode__stat/)
})

test.each(['bash', 'Bash', 'ba*', '*'])(
  '%j hides each tool that starts a shell, and the reason names it',
  (pattern) => {
    const names = [
      'bash',
      'bash_batch',
      'terminal_start',
      'terminal_write',
      'run_experiment',
      'init_experiment',
    ]
    const shells = names.map((name) => entry(name, false))
    for (const { hidden } of visibleTools(shells, { profile: undefined, disabled: [pattern], web: true }))
      expect(hidden).toBe(`disabled by ${pattern} in tools.disabled`)
  },
)
