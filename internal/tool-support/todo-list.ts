// Which todo list a session has, and how a list reads.
import type { StoredTodo } from '../store/store.ts'
import type { Ctx } from '../tool/ctx.ts'

/** A thread has its own list; calls that belong to no thread share the one of their workspace. */
export function todoKey(ctx: Ctx): string {
  return ctx.thread ?? `workspace:${ctx.policy.roots.workspace}`
}

const marks: Readonly<Record<StoredTodo['status'], string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
}

/** One line per todo, then how many are done. */
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
