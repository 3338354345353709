// The tool todo_read: shows the current todo list.
import * as z from 'zod/mini'
import { defineTool } from '../../tool/tool.ts'
import { hasStore, storeOf } from '../../tool-support/storage.ts'
import { formatTodos, todoKey } from '../../tool-support/todo-list.ts'
import about from './todo_read.md'

export const todoRead = defineTool({
  name: 'todo_read',
  about,
  input: z.object({}),
  example: {},
  level: 'auto_read',
  available: hasStore,
  async run(_, ctx) {
    const todos = (await storeOf(ctx)).todos.read(todoKey(ctx))
    return { text: formatTodos(todos), data: { todos } }
  },
})
