// What a profile shows of a registry, with the reason for each tool.
import { expect, test } from 'vitest'
import { readProfile } from '../../../internal/profile/profile-file.ts'
import { filterTools } from '../../../internal/profile/tool-filter.ts'
import { warnUnmatchedTools } from '../../../internal/profile/unmatched-tools.ts'

const make = (tools: string[], readOnly = false) =>
  readProfile(
    { about: 'a', prompt: 'p', tools, readOnly },
    { name: 'mine', origin: 'user', path: '/u/mine.md' },
  )
const entries = [
  { name: 'read', level: 'auto_read' },
  { name: 'web_search', level: 'external_read' },
  { name: 'todo_write', level: 'state_write' },
  { name: 'bash', level: 'confirm_execute' },
  { name: 'lsp', level: 'auto_read', available: 'no language server was found' },
  { name: 'mcp__a__b', level: 'confirm_execute' },
  { name: 'tb__x', level: 'auto_read', available: true },
] as const
const shown = (tools: string[], rest: { readOnly?: boolean; disabled?: string[]; web?: boolean } = {}) =>
  filterTools(make(tools, rest.readOnly), entries, rest)
    .filter((entry) => entry.shown)
    .map(({ name }) => name)
    .join(' ')

test.each([
  [['*'], {}, 'read web_search todo_write bash'],
  [['*', 'mcp__*', 'tb__*'], {}, 'read web_search todo_write bash mcp__a__b tb__x'],
  [['*', '!bash'], {}, 'read web_search todo_write'],
  [['*', '!*_*', 'todo_write'], {}, 'read todo_write bash'],
  [['!bash'], {}, ''],
  [['r?ad', 'mcp__a__b'], {}, 'read mcp__a__b'],
  [['re.d'.replace('.', '-')], {}, ''],
  [['*', 'tb__*', 'mcp__*'], { readOnly: true }, 'read web_search tb__x'],
  [['*', 'mcp__*'], { disabled: ['mcp__*', 'web_search'] }, 'read todo_write bash'],
  [['*', 'mcp__*', 'tb__*'], { disabled: ['*'] }, ''],
  [['*'], { web: false }, 'read todo_write bash'],
])('%j with %j shows %j', (tools, rest, expected) => {
  expect(shown(tools, rest)).toBe(expected)
})

test('returns every tool in order, with the reason why it is hidden', () => {
  const profile = make(['*', '!bash'], true)
  expect(filterTools(profile, entries, { disabled: ['rea*'], web: false })).toEqual([
    { name: 'read', shown: false, reason: 'disabled by rea* in tools.disabled' },
    { name: 'web_search', shown: false, reason: 'the web is turned off (web.enabled)' },
    {
      name: 'todo_write',
      shown: false,
      reason: 'the profile mine is read-only and the level is state_write',
    },
    { name: 'bash', shown: false, reason: 'taken out by !bash in the profile mine' },
    { name: 'lsp', shown: false, reason: 'no language server was found' },
    { name: 'mcp__a__b', shown: false, reason: 'not among the tools of the profile mine' },
    { name: 'tb__x', shown: false, reason: 'not among the tools of the profile mine' },
  ])
})

const names = entries.map(({ name }) => name)

test('warns once about names that match no tool, with the most similar name', () => {
  expect(
    warnUnmatchedTools(make(['raed', 'read', '!bsah', 'mcp__*', 'plugin__*', 'zzzzzzzzzzz']), names),
  ).toBe(
    'the profile mine names tools that do not exist: raed (read?), !bsah (bash?), zzzzzzzzzzz (/u/mine.md)',
  )
  expect(warnUnmatchedTools(make(['mcp__github__*']), names)).toContain('mcp__github__*')
})

test('does not warn if every name matches', () => {
  expect(warnUnmatchedTools(make(['*', 'read', 'lsp', 'mcp__*', '!bash']), names)).toBeUndefined()
  expect(warnUnmatchedTools({ ...make(['task']), origin: 'builtin' }, names)).toBeUndefined()
})

test.each([
  [['*', 'anode__todo_write'], ['todo_write']],
  [['anode__todo_write', '*'], ['todo_write']],
  [
    ['anode__*', '!todo_write'],
    ['read', 'web_search', 'bash'],
  ],
  [['*', '!anode__bash'], []],
  [['*', 'mcp__*', 'anode__a__b'], []],
])('%j names %j', (tools, expected) => {
  const entriesNamed = filterTools(make(tools), entries).filter(({ named }) => named)
  expect(entriesNamed.map(({ name }) => name)).toEqual(expected)
})
