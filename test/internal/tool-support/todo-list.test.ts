// Todo lists: whose they are and how they read.
import { expect, test } from 'vitest'
import { formatTodos, todoKey } from '../../../internal/tool-support/todo-list.ts'
import { ctxWith } from '../../support/ctx.ts'

test('each thread has its own list, and calls without a thread share the list of the workspace', () => {
  expect(todoKey(ctxWith({}, { thread: 'sess_A' }))).toBe('sess_A')
  expect(todoKey(ctxWith({}, { cwd: '/w' }))).toBe('workspace:/w')
})

test('shows the active form of an item only while the item is in progress', () => {
  const todo = { id: '1', content: 'Fix', active_form: 'Fixing' }
  expect(formatTodos([{ ...todo, status: 'pending' }])).toBe('[ ] 1. Fix\n0 of 1 completed')
  expect(formatTodos([{ ...todo, status: 'in_progress' }])).toBe('[>] 1. Fix (Fixing)\n0 of 1 completed')
  expect(formatTodos([])).toBe('The todo list is empty.')
})
