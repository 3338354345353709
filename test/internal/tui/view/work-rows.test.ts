// The rows above the editor: todo list, agents, waiting messages.
import { describe, expect, test } from 'vitest'
import { drawAgents, drawQueue, drawTodoList, drawTodoRow } from '../../../../internal/tui/view/work-rows.ts'
import { lookOf } from '../../../support/session-view.ts'

const todo = [
  { content: 'find it', status: 'completed' },
  { content: 'fix it', status: 'in_progress' },
  { content: 'test it', status: 'pending' },
]

test('shows the current todo item in one row, and the list on request', () => {
  expect(drawTodoRow({ todo }, lookOf())).toEqual([' todo 1 of 3  ● fix it'])
  expect(drawTodoRow({ todo: [] }, lookOf())).toEqual([])
  expect(drawTodoRow({ todo: todo.slice(0, 1) }, lookOf())).toEqual([])
  expect(drawTodoList({ todo }, lookOf())).toEqual([
    ' To do: 1 of 3 done',
    ' ✔ find it',
    ' ● fix it',
    ' ○ test it',
  ])
  expect(drawTodoList({ todo: [] }, lookOf())).toEqual([' The todo list is empty.'])
})

const children = ['a', 'b', 'c', 'd'].map((title) => ({ thread: title, title, profile: 'find', since: 0 }))

test('shows one row per agent, and counts many', () => {
  expect(drawAgents({ children: children.slice(0, 1) }, 38_000, lookOf(40))).toEqual([
    ` ● a${' '.repeat(24)}find  38.0 s`,
  ])
  expect(drawAgents({ children }, 0, lookOf(40))).toHaveLength(3)
  expect(drawAgents({ children }, 0, lookOf(40)).at(-1)).toBe(' 2 more agents')
  expect(drawAgents({ children }, 0, { ...lookOf(40), all: true })).toHaveLength(4)
})

describe('a waiting message', () => {
  const queue = [
    { id: '1', kind: 'steer', text: 'also\nthe changelog' },
    { id: '2', kind: 'queue', text: 'then the tests' },
  ] as const

  test('shows when it is sent', () => {
    expect(drawQueue({ queue, run: { since: 0, step: 1 } }, lookOf(60))).toEqual([
      ' steer  also the changelog            taken at the next step',
      ' queue  then the tests                        after this run',
    ])
  })

  test('waits for Enter without a run', () => {
    expect(drawQueue({ queue, run: undefined }, lookOf(60))[0]).toMatch(/Enter sends it$/)
  })
})
