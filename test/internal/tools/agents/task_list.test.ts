// task_list: the five actions, filters, clearing by blanks, links and their cycles.
import { expect, test } from 'vitest'
import type { RepositoryTask } from '../../../../internal/store/store.ts'
import { taskList } from '../../../../internal/tools/agents/task_list.ts'
import { call } from '../../../support/ctx.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()
const use = (args: Record<string, unknown>) => call(taskList, args, place.ctx())
const create = (taskID: string, rest: Record<string, unknown> = {}) =>
  use({ action: 'create', taskID, title: `title ${taskID}`, ...rest })
const repo = () => `${place.dir}/workspace`

test('create stores a task in the workspace with the passed id', async () => {
  const { text, data } = await use({
    action: 'create',
    title: 'Document retries',
    description: 'all of them',
  })
  const task = data?.['task'] as RepositoryTask
  expect(task).toMatchObject({
    title: 'Document retries',
    status: 'open',
    repo: repo(),
    description: 'all of them',
  })
  expect(text).toBe(`created ${task.id} [open] Document retries`)
  expect(place.store.tasks.get(task.id)).toEqual(task)
})

test('shows links between tasks, and accepts other spellings of parameters', async () => {
  await create('a')
  await create('p')
  const { text } = await use({
    action: 'create',
    id: 'b',
    title: 'b',
    depends_on: ['a'],
    parentId: 'p',
    status: 'doing',
    repo_url: 'https://example.org/r',
  })
  expect(text).toBe('created b [in_progress] b (needs a; part of p)')
  expect(place.store.tasks.get('b')?.repo).toBe('https://example.org/r')
})

test('list shows the tasks of the current repository, of another, or all', async () => {
  await create('a')
  await create('b', { status: 'completed', parentID: 'a' })
  await create('c', { repoURL: 'other', dependsOn: ['a'] })
  const ids = async (args: Record<string, unknown>) =>
    ((await use({ action: 'list', ...args })).data as { tasks: RepositoryTask[] }).tasks.map(
      (task) => task.id,
    )
  expect(await ids({})).toEqual(['a', 'b'])
  expect(await ids({ repoURL: 'other' })).toEqual(['c'])
  expect(await ids({ repoURL: '' })).toEqual(['a', 'b', 'c'])
  expect(await ids({ status: 'done' })).toEqual(['b'])
  expect(await ids({ parentID: 'a' })).toEqual(['b'])
  expect(await ids({ parentID: '' })).toEqual(['a'])
  expect(await ids({ dependsOn: ['a'], repoURL: '' })).toEqual(['c'])
  expect(await ids({ limit: '1', repoURL: '' })).toEqual(['a'])
  const cut = await use({ action: 'list', limit: 1 })
  expect(cut.text).toBe('a [open] title a\n… 1 more; raise limit to see them')
  expect(cut.data).toMatchObject({ total: 2 })
  expect((await use({ action: 'list', repoURL: 'none' })).text).toBe('No tasks for none.')
})

test('get shows the whole task and the tasks that it waits for', async () => {
  await create('a')
  await create('b', { status: 'completed' })
  await create('c', { dependsOn: ['a', 'b'], description: 'line 1\nline 2' })
  const { text, data } = await use({ action: 'get', taskID: 'c' })
  expect(text).toBe(`c [open] title c (needs a, b)\nrepository ${repo()}\nwaits for a\n\nline 1\nline 2`)
  expect(data).toMatchObject({ task: { id: 'c' }, blockedBy: ['a'] })
})

test('update keeps missing fields and clears empty fields', async () => {
  await create('a')
  await create('b', { dependsOn: ['a'], parentID: 'a', description: 'long' })
  const kept = place.store.tasks.get('b')
  await use({ action: 'update', taskID: 'b', status: 'active' })
  expect(place.store.tasks.get('b')).toEqual({ ...kept, status: 'in_progress' })
  await use({ action: 'update', taskID: 'b', description: '', repoURL: '', parentID: '', dependsOn: [] })
  expect(place.store.tasks.get('b')).toMatchObject({ description: '', repo: '', parent: null, dependsOn: [] })
})

test('delete removes the task once', async () => {
  await create('a')
  expect((await use({ action: 'delete', taskID: 'a' })).data).toEqual({ deleted: 'a' })
  expect((await use({ action: 'delete', taskID: 'a' })).failed?.code).toBe('not_found')
})

test.each<[string, Record<string, unknown>, string]>([
  ['create without a title', { action: 'create' }, 'create needs a title'],
  ['create with a blank title', { action: 'create', title: '  ' }, 'create needs a title'],
  ['get without an id', { action: 'get' }, 'get needs taskID'],
  ['update without an id', { action: 'update', title: 'x' }, 'update needs taskID'],
  ['update without a change', { action: 'update', taskID: 'a' }, 'nothing to change'],
  ['update to a blank title', { action: 'update', taskID: 'a', title: ' ' }, 'cannot be blank'],
  ['delete without an id', { action: 'delete', taskID: '' }, 'delete needs taskID'],
])('%s is refused in words', async (_, args, words) => {
  const { failed } = await use(args)
  expect(failed).toMatchObject({ code: 'bad_args' })
  expect(failed?.message).toContain(words)
})

test('an unknown task is not found', async () => {
  expect((await use({ action: 'get', taskID: 'x' })).failed?.code).toBe('not_found')
  expect((await use({ action: 'update', taskID: 'x', title: 'y' })).failed?.code).toBe('not_found')
})

test('rejects and shows a cycle, and stores nothing of the update', async () => {
  await create('a')
  await create('b', { dependsOn: ['a'] })
  const { failed } = await use({ action: 'update', taskID: 'a', title: 'new', dependsOn: ['b'] })
  expect(failed).toMatchObject({ code: 'cycle', message: expect.stringContaining('a -> b -> a') })
  expect(place.store.tasks.get('a')).toMatchObject({ title: 'title a', dependsOn: [] })
})

test('only list and get are reads', () => {
  const effect = (action: 'list' | 'get' | 'create' | 'update' | 'delete') =>
    taskList.effect?.({ action, limit: 0 })
  expect((['list', 'get', 'create', 'update', 'delete'] as const).map(effect)).toEqual([
    'read',
    'read',
    'write',
    'write',
    'write',
  ])
})
