// The built-in profiles, compared with the table of the specification and the names of the tool contract.
import { expect, test } from 'vitest'
import { findProfile, loadProfiles } from '../../../internal/profile/profile-set.ts'
import { filterTools } from '../../../internal/profile/tool-filter.ts'
import { loadNativeEntries } from '../../../internal/runtime/tools/tool-registry.ts'
import { loadToolset, toolsetNames } from '../../../internal/toolset/index.ts'
import { adaptersOf } from '../../../internal/toolset/resolve-adapter.ts'
import { contract } from '../../support/contract.ts'

const profiles = await loadProfiles({})
const names = contract.map(({ name }) => name)
const natives = await loadNativeEntries()
const sets = await Promise.all(toolsetNames.map(loadToolset))
/** Names of the adapters as an allowlist writes them. */
const adapters = sets.flatMap((set) =>
  adaptersOf(set).map(({ toolset, adapter }) => `${toolset}__${adapter.name}`),
)
const foreign = ['mcp__github__create_issue', 'tb__deploy', 'plugin__security__scan'].map((name) => ({
  name,
  level: 'confirm_execute' as const,
}))
const without = (...gone: string[]) => names.filter((name) => !gone.includes(name))

const quick =
  'bash read multi_read edit_file apply_patch create_file finder glob grep todo_read todo_write get_diagnostics result'
const review =
  'read multi_read finder glob grep find_thread read_thread look_at list_skills todo_read lsp get_diagnostics render chart web_search web_fetch result'
const oracle =
  'read multi_read finder glob grep web_search web_fetch find_thread read_thread look_at lsp get_diagnostics todo_read result'
const table = [
  [
    'craft',
    ['smart'],
    200,
    3,
    false,
    [...without('send_message', 'receive_messages'), ...foreign.map((f) => f.name)],
  ],
  ['quick', ['rush'], 10, 2, false, quick.split(' ')],
  ['build-plan', [], 20, 4, true, 'read multi_read finder glob grep'.split(' ')],
  ['propose', [], 40, 4, false, 'read grep glob edit_file apply_patch create_file bash result'.split(' ')],
  ['study', ['deep'], 40, 4, false, [...names, ...foreign.map((f) => f.name)]],
  ['review', [], 12, 3, true, review.split(' ')],
  ['oracle', [], 8, 4, true, oracle.split(' ')],
  [
    'find',
    ['search'],
    8,
    2,
    true,
    'read multi_read finder glob grep web_search web_fetch todo_read'.split(' '),
  ],
  ['aggman', [], 6, 2, true, 'find_thread read_thread web_search receive_messages todo_read'.split(' ')],
] as const

test.each(table)(
  '%s has the limits and effective tools of the specification',
  (name, aliases, turns, effort, readOnly, tools) => {
    const profile = findProfile(profiles, name)
    expect(profile).toMatchObject({ aliases, maxTurns: turns, effort, readOnly, origin: 'builtin' })
    const shown = filterTools(profile, [...contract, ...foreign])
      .filter((tool) => tool.shown)
      .map((tool) => tool.name)
    expect(shown.sort()).toEqual([...tools].sort())
  },
)

test('lists all profiles, without problems and with one default', () => {
  expect(profiles.all.map(({ name }) => name)).toEqual(table.map(([name]) => name).sort())
  expect(profiles.diagnostics).toEqual([])
  expect(findProfile(profiles, undefined).name).toBe('craft')
  expect(findProfile(profiles, 'smart').name).toBe('craft')
})

test('the tool contract has every exact name', () => {
  for (const profile of profiles.all) {
    const exact = profile.tools
      .filter((tool) => !/[*?]/.test(tool))
      .map((tool) => tool.replace(/^!|^anode__/, ''))
    const known = [...names, ...natives.map(({ name }) => name), ...adapters]
    expect(exact.filter((tool) => !known.includes(tool))).toEqual([])
    expect(new Set(profile.tools).size).toBe(profile.tools.length)
  }
})

test('prompts are short: a fixed prompt has to fit in the budget with the schemas', () => {
  const tokens = (name: string) => Math.ceil(findProfile(profiles, name).prompt.length / 4)
  expect(tokens('quick')).toBeLessThanOrEqual(300)
  expect(tokens('craft')).toBeLessThanOrEqual(700)
})
