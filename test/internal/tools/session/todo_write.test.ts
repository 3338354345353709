// todo_write: replaces the list, fills ids, reads other spellings, refuses what cannot be kept.
import { expect, test } from 'vitest'
import { todoWrite } from '../../../../internal/tools/session/todo_write.ts'
import { call } from '../../../support/ctx.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()

test('stores a list for each thread, and shows the list', async () => {
  const ctx = place.ctx({ thread: 'sess_A' })
  const result = await call(
    todoWrite,
    {
      todos: [
        { id: 'x', content: 'Fix it', status: 'active', activeForm: 'Fixing it' },
        { content: 'Test it' },
        { id: '', content: 'Ship it', status: 'done' },
      ],
    },
    ctx,
  )
  const todos = [
    { id: 'x', content: 'Fix it', status: 'in_progress', active_form: 'Fixing it' },
    { id: '1', content: 'Test it', status: 'pending' },
    { id: '2', content: 'Ship it', status: 'completed' },
  ]
  expect(result).toEqual({
    text: '[>] x. Fix it (Fixing it)\n[ ] 1. Test it\n[x] 2. Ship it\n1 of 3 completed',
    data: { todos },
  })
  expect(place.store.todos.read('sess_A')).toEqual(todos)
  expect(place.store.todos.read('sess_B')).toEqual([])
})

test('chooses ids that differ from passed ids', async () => {
  const todos = [{ content: 'a' }, { id: '1', content: 'b' }, { content: 'c' }, { id: '3', content: 'd' }]
  await call(todoWrite, { todos }, place.ctx({ thread: 't' }))
  expect(place.store.todos.read('t').map((todo) => todo.id)).toEqual(['2', '1', '4', '3'])
})

test('without a thread it writes the list of the workspace, and an empty array clears the list', async () => {
  const key = `workspace:${place.dir}/workspace`
  await call(todoWrite, { todos: [{ content: 'a' }] }, place.ctx())
  expect(place.store.todos.read(key)).toHaveLength(1)
  const cleared = await call(todoWrite, { todos: [] }, place.ctx())
  expect(cleared.text).toBe('The todo list is empty.')
  expect(place.store.todos.read(key)).toEqual([])
})

test('rejects a repeated id and keeps the old list', async () => {
  const ctx = place.ctx({ thread: 't' })
  await call(todoWrite, { todos: [{ content: 'old' }] }, ctx)
  const todos = [
    { id: 'a', content: '1' },
    { id: 'a', content: '2' },
  ]
  const result = await call(todoWrite, { todos }, ctx)
  expect(result.failed).toMatchObject({ code: 'bad_args' })
  expect(place.store.todos.read('t')).toMatchObject([{ content: 'old' }])
})

test.each<[string, unknown, string]>([
  ['no list', {}, 'missing required parameter todos'],
  ['no content', { todos: [{ id: '1' }] }, 'todos[0].content'],
  ['an unknown status', { todos: [{ content: 'x', status: 'later' }] }, 'pending, in_progress, completed'],
  ['an unknown field', { todos: [{ content: 'x', weight: 1 }] }, 'unknown parameter todos[0].weight'],
])('%s is refused in words', async (_, raw, words) => {
  await expect(call(todoWrite, raw, place.ctx())).rejects.toThrow(words)
})

test.each(['todo', 'open', 'pending'])('%s is pending', async (status) => {
  await call(todoWrite, { todos: [{ content: 'x', status }] }, place.ctx({ thread: 't' }))
  expect(place.store.todos.read('t')[0]?.status).toBe('pending')
})

test('items may be ranked, as in other programs, and the rank is stored', async () => {
  const todos = [
    { content: 'a', priority: 'high' },
    { content: 'b', priority: 'p2' },
  ]
  const ctx = place.ctx({ thread: 'ranked' })
  expect((await call(todoWrite, { todos }, ctx)).text).toContain('[ ] 1. a [high]\n[ ] 2. b\n')
  expect(place.store.todos.read('ranked')).toEqual([
    { id: '1', content: 'a', status: 'pending', priority: 'high' },
    { id: '2', content: 'b', status: 'pending' },
  ])
})
