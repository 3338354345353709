// todo_read: shows what is kept, and says when nothing can be kept.
import { expect, test } from 'vitest'
import { todoRead } from '../../../../internal/tools/session/todo_read.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()

test('returns the list of the thread', async () => {
  const ctx = place.ctx({ thread: 't' })
  expect(await call(todoRead, {}, ctx)).toEqual({ text: 'The todo list is empty.', data: { todos: [] } })
  place.store.todos.replace('t', [{ id: '1', content: 'x', status: 'pending' }])
  expect(await call(todoRead, {}, ctx)).toEqual({
    text: '[ ] 1. x\n0 of 1 completed',
    data: { todos: [{ id: '1', content: 'x', status: 'pending' }] },
  })
})

test('takes no parameters', async () => {
  await expect(call(todoRead, { list: 'x' }, place.ctx())).rejects.toThrow('unknown parameter list')
})

test('is not available without a store', async () => {
  expect(todoRead.available?.(ctxWith())).toContain('no data directory')
  expect(todoRead.available?.(place.ctx())).toBe(true)
  expect((await call(todoRead, {}, ctxWith())).failed?.code).toBe('unavailable')
})
