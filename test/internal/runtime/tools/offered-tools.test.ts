// Tools that can do nothing in a session are hidden, with the reason.
import { expect, it } from 'vitest'
import {
  hideInactiveExperiments,
  hideUselessTools,
  listRareTools,
} from '../../../../internal/runtime/tools/offered-tools.ts'
import type { ListedTool } from '../../../../internal/tool/catalog.ts'

const tool = (name: string, hidden?: string): ListedTool => ({
  ...{ name, level: 'auto_read', origin: 'native', summary: '', about: '', schema: {}, example: {} },
  ...{ spawns: false, hidden, load: () => Promise.reject(new Error('never called')) },
})
const shownOf = (names: readonly string[], isUserPresent: boolean) => {
  const tools = names.map((name) => tool(name))
  return hideUselessTools(() => tools, isUserPresent)().flatMap(({ name, hidden }) =>
    hidden === undefined ? [name] : [],
  )
}

it.each([
  [['ask_user', 'read'], false, ['read']],
  [['ask_user', 'read'], true, ['ask_user', 'read']],
  [['todo_read', 'read'], true, ['read']],
  [['todo_read', 'todo_write'], true, ['todo_read', 'todo_write']],
  [['list_skills'], true, []],
  [['list_skills', 'skill'], true, ['list_skills', 'skill']],
] as const)('%j, user present %j: %j', (names, isUserPresent, expected) => {
  expect(shownOf(names, isUserPresent)).toEqual(expected)
})

it('keeps the array and the reasons of others', () => {
  const tools = [tool('todo_read', 'not among the tools'), tool('todo_write')]
  const hide = hideUselessTools(() => tools, true)
  expect(hide()).toBe(hide())
  expect(hide()[0]?.hidden).toBe('not among the tools')
})

it.each([
  [200_000, ['handoff', 'render']],
  [8_000, ['handoff', 'render', 'finder', 'apply_patch', 'task']],
])('of ten tools and more some wait for a search, at a window of %d: %j', (window, waiting) => {
  const names = 'handoff render finder apply_patch task bash read grep glob edit_file'.split(' ')
  expect([
    ...listRareTools(
      names.map((name) => tool(name)),
      window,
    ),
  ]).toEqual(waiting)
  expect(
    listRareTools(
      names.slice(0, 9).map((name) => tool(name)),
      window,
    ).size,
  ).toBe(0)
})

it('offers a model running and logging only in a session', () => {
  let active = false
  const entries = ['read', 'init_experiment', 'run_experiment'].map((name) => ({ name, hidden: undefined }))
  const tools = hideInactiveExperiments(
    () => entries as ListedTool[],
    () => active,
  )
  const shown = () => tools().flatMap(({ name, hidden }) => (hidden === undefined ? [name] : []))
  expect(shown()).toEqual(['read', 'init_experiment'])
  expect(tools()).toBe(tools())
  active = true
  expect(shown()).toEqual(['read', 'init_experiment', 'run_experiment'])
})
