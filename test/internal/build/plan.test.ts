// Plans of builds: what they may contain, and every mistake with its line.
import { describe, expect, it, test } from 'vitest'
import { maxTasks, readBuildPlan } from '../../../internal/build/plan.ts'

const valid = `goal: Rename
until: npm test
shared: [CHANGELOG.md]
tasks:
  - id: a
    run: node a.js
    scope: [src/a/**]
  - id: b
    do: |
      Rename it.
      Keep the names.
    scope: src/b.ts
    until: ["node b.js"]
    after: [a]
    worker: acp:codex
`

it('reads lists, single values and blocks', async () => {
  const { plan, lines } = await readBuildPlan(valid, 'plan.yaml')
  expect(plan.until).toEqual(['npm test'])
  expect(plan.tasks.map(({ id, scope, after }) => ({ id, scope, after }))).toEqual([
    { id: 'a', scope: ['src/a/**'], after: [] },
    { id: 'b', scope: ['src/b.ts'], after: ['a'] },
  ])
  expect(plan.tasks[1]?.do).toBe('Rename it.\nKeep the names.')
  expect(lines.get('b:after')).toBe(14)
  const json = JSON.stringify({ tasks: [{ id: 'x', run: 'true', scope: ['a'] }] })
  expect((await readBuildPlan(json, 'plan.json')).plan.tasks[0]?.run).toBe('true')
})

const replaced = (from: string, to: string) => valid.replace(from, to)
const many = Array.from({ length: maxTasks + 1 }, (_, i) => `  - {id: t${i}, run: x, scope: [a]}`)

const mistakes: [title: string, text: string, line: number, reason: RegExp][] = [
  ['a cycle', replaced('    scope: [src/a/**]', '    scope: [src/a/**]\n    after: [b]'), 8, /cycle/],
  ['itself in after', replaced('after: [a]', 'after: [b]'), 14, /task "b" is after itself/],
  ['an unknown key', replaced('until: npm test', 'untill: npm test'), 2, /unknown key "untill"/],
  [
    'an unknown key of a task',
    replaced('run: node a.js', 'run: node a.js\n    when: now'),
    7,
    /unknown key "when"/,
  ],
  ['an id twice', replaced('id: b', 'id: a'), 8, /task "a" is in the plan twice/],
  ['an id with a slash', replaced('id: b', 'id: a/b'), 8, /invalid id/],
  ['no id', replaced('- id: b\n    do', '- do'), 8, /has no id/],
  ['no scope', replaced('    scope: [src/a/**]\n', ''), 5, /task "a" has no scope/],
  ['an empty scope', replaced('[src/a/**]', '[]'), 5, /task "a" has no scope/],
  ['an absolute scope', replaced('src/a/**', '/src/a/**'), 7, /not a path below the top/],
  ['a scope above the top', replaced('src/a/**', '../a/**'), 7, /not a path pattern/],
  ['an invalid glob', replaced('[src/a/**]', '["src/{a"]'), 7, /not a path pattern/],
  ['neither do nor run', replaced('    run: node a.js\n', ''), 5, /either do or run/],
  ['both do and run', replaced('run: node a.js', 'run: x\n    do: y'), 5, /either do or run/],
  ['an unknown task', replaced('after: [a]', 'after: [c]'), 14, /unknown task "c"/],
  ['a number as a list', replaced('["node b.js"]', '[1, 2]'), 13, /until is not a list of texts/],
  ['a mapping as a text', replaced('goal: Rename', 'goal: {a: 1}'), 1, /goal is not a text/],
  ['no tasks', 'goal: x\n', 1, /has no tasks/],
  ['an empty list of tasks', 'goal: x\ntasks: []\n', 2, /has no tasks/],
  ['a text as a task', 'tasks:\n  - hello\n', 2, /a task is a list of keys/],
  ['a list as a plan', '- a\n', 1, /a plan is a list of keys/],
  ['invalid YAML', 'goal: x\ntasks: [a\nmore: b\n', 3, /invalid YAML/],
  ['too many tasks', `tasks:\n${many.join('\n')}\n`, 1, /at most 64 tasks/],
  ['nothing', '', 1, /a plan is a list of keys/],
]

test('ids with dots do not collide with the keys of other tasks', async () => {
  const { plan, lines } = await readBuildPlan(replaced('id: b', 'id: a.do'), 'plan.yaml')
  expect(plan.tasks.map(({ id }) => id)).toEqual(expect.arrayContaining(['a', 'a.do']))
  expect(lines.get('a:do') ?? lines.get('a:run')).toBeLessThan(lines.get('a.do') as number)
})

describe('a plan is refused with line and reason:', () => {
  test.each(mistakes)('%s', async (_, text, line, reason) => {
    const error = await readBuildPlan(text, 'plan.yaml').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'UserError', exit: 2 })
    const { message } = error as Error
    expect(message).toMatch(reason)
    expect(message).toMatch(new RegExp(`^plan\\.yaml:${line}: `))
  })
})
