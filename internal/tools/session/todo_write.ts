// The tool todo_write: replaces the current todo list.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import type { StoredTodo } from '../../store/store.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { hasStore, storeOf } from '../../tool-support/storage.ts'
import { formatTodos, todoKey } from '../../tool-support/todo-list.ts'
import about from './todo_write.md'

const synonyms = {
  todo: 'pending',
  open: 'pending',
  not_started: 'pending',
  active: 'in_progress',
  doing: 'in_progress',
  started: 'in_progress',
  'in-progress': 'in_progress',
  'in progress': 'in_progress',
  done: 'completed',
  complete: 'completed',
  finished: 'completed',
  closed: 'completed',
}

/** The known priorities. Any other is ignored, because programs name them differently. */
const priorities = ['high', 'medium', 'low'] as const

const item = z.object({
  id: field(z._default(z.string(), ''), 'Default: the next number', { offer: 'never' }),
  content: field(z.string().check(z.minLength(1)), 'What to do'),
  status: field(z._default(z.enum(['pending', 'in_progress', 'completed']), 'pending'), 'State of the item', {
    synonyms,
  }),
  active_form: field(z.optional(z.string()), 'Text while in progress, such as Fixing the parser', {
    aliases: ['activeForm'],
  }),
  priority: field(z.optional(z.string()), 'How much it matters: high, medium or low', { hidden: true }),
})

export const todoWrite = defineTool({
  name: 'todo_write',
  about,
  input: z.object({
    todos: field(z.array(item), 'The complete list. Items that you omit are deleted'),
  }),
  example: {
    todos: [
      { id: '1', content: 'Fix the parser', status: 'in_progress', active_form: 'Fixing the parser' },
      { id: '2', content: 'Add tests', status: 'pending' },
    ],
  },
  level: 'state_write',
  available: hasStore,
  async run({ todos }, ctx) {
    const ids = todos.map((todo) => todo.id).filter((id) => id !== '')
    const twice = ids.find((id, i) => ids.indexOf(id) !== i)
    if (twice !== undefined) {
      throw new FailureError({
        code: 'bad_args',
        message: `the id ${twice} is in the list twice`,
        hint: 'Give every item its own id, or omit the ids.',
      })
    }
    const list = numberTodos(todos, new Set(ids))
    const store = await storeOf(ctx)
    store.todos.replace(todoKey(ctx), list)
    return { text: formatTodos(list), data: { todos: list } }
  },
})

/** Returns the todos in order. Empty ids are replaced by the smallest free numbers. */
function numberTodos(todos: readonly z.output<typeof item>[], takenIds: ReadonlySet<string>): StoredTodo[] {
  let next = 1
  return todos.map(({ id, content, status, active_form, priority }) => {
    while (id === '' && takenIds.has(String(next))) next++
    const todo: StoredTodo = { id: id === '' ? String(next++) : id, content, status }
    const rank = priorities.find((one) => one === priority)
    return { ...todo, active_form: active_form || undefined, priority: rank }
  })
}
