// The tool todo_read: shows the current list.
import * as z from 'zod/mini'
import { hasStore, storeOf } from '../tool/storage.ts'
import { todoKey, todoText } from '../tool/todo.ts'
import { tool } from '../tool/tool.ts'
import about from './todo_read.md'

export const todoRead = tool({
  name: 'todo_read',
  about,
  input: z.object({}),
  example: {},
  level: 'auto_read',
  available: hasStore,
  async run(_, ctx) {
    const todos = (await storeOf(ctx)).todos.read(todoKey(ctx))
    return { text: todoText(todos), data: { todos } }
  },
})
