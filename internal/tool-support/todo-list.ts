// The todo list of a session, with its key in the store and its text.
import type { StoredTodo } from '../store/store.ts'
import type { Ctx } from '../tool/ctx.ts'

/**
 * Returns the key of the todo list in the store. A thread has a separate list; calls without a thread share
 * the list of their workspace.
 */
export function todoKey(ctx: Ctx): string {
  return ctx.thread ?? `workspace:${ctx.policy.roots.workspace}`
}

const marks: Readonly<Record<StoredTodo['status'], string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
}

/**
 * Returns one line per todo, and a last line with the number of completed todos; a sentence if the
 * list is empty.
 */
export function formatTodos(todos: readonly StoredTodo[]): string {
  if (todos.length === 0) return 'The todo list is empty.'
  const lines = todos.map(({ id, content, status, active_form, priority }) => {
    const doing = status === 'in_progress' && active_form ? ` (${active_form})` : ''
    const rank = priority ? ` [${priority}]` : ''
    return `${marks[status]} ${id}. ${content}${rank}${doing}`
  })
  const done = todos.filter((todo) => todo.status === 'completed').length
  return `${lines.join('\n')}\n${done} of ${todos.length} completed`
}
