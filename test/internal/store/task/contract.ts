// The part of the contract about todo lists and the tasks of repositories.
import { describe, expect, test } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import type { StoredTodo } from '../../../../internal/store/store.ts'
import type { Place } from '../contract.ts'

/** Returns the failure that `work` throws. The test fails if `work` throws none. */
export function failureOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
  throw new Error('nothing was thrown')
}

export function taskContract(place: Place): void {
  describe('todos', () => {
    test('replaces a list as a whole and reads it in order', async () => {
      const { todos } = place.store
      const list: StoredTodo[] = [
        { id: 'b', content: 'second is first', status: 'in_progress', active_form: 'Doing it' },
        { id: 'a', content: 'naïve "quotes" 日本 \n lines', status: 'pending' },
      ]
      expect(todos.read('sess_1')).toEqual([])
      todos.replace('sess_1', list)
      expect((await place.again()).todos.read('sess_1')).toEqual(list)
      todos.replace('sess_1', [{ id: '1', content: 'x', status: 'completed' }])
      expect(todos.read('sess_1')).toHaveLength(1)
      expect(todos.read('sess_2')).toEqual([])
      todos.replace('sess_1', [])
      expect(todos.read('sess_1')).toEqual([])
    })

    test('a rejected list keeps the old one', () => {
      const { todos } = place.store
      const kept: StoredTodo[] = [{ id: '1', content: 'kept', status: 'pending' }]
      todos.replace('t', kept)
      const twice: StoredTodo[] = [
        { id: '1', content: 'a', status: 'pending' },
        { id: '1', content: 'b', status: 'pending' },
      ]
      expect(() => todos.replace('t', twice)).toThrow()
      expect(todos.read('t')).toEqual(kept)
    })
  })

  describe('tasks', () => {
    const make = (id: string, rest: { dependsOn?: string[]; parent?: string; repo?: string } = {}) =>
      place.store.tasks.create({ id, repo: '/r', title: `title ${id}`, ...rest })

    test('a task gets an id, defaults and times', async () => {
      const task = place.store.tasks.create({ repo: '/r', title: 'first' })
      expect(task).toEqual({
        id: expect.stringMatching(/^task_[0-9a-z]{8}$/),
        repo: '/r',
        title: 'first',
        description: '',
        status: 'open',
        dependsOn: [],
        parent: null,
        created: place.clock.now,
        updated: place.clock.now,
      })
      expect((await place.again()).tasks.get(task.id)).toEqual(task)
      expect(place.store.tasks.get('task_none')).toBeUndefined()
    })

    test('rejects a duplicate id', () => {
      make('a')
      expect(failureOf(() => make('a')).code).toBe('bad_args')
    })

    test('filters lists by repository and status, in order of creation', () => {
      const { tasks } = place.store
      for (const id of ['c', 'a', 'b']) make(id)
      make('other', { repo: '/s' })
      tasks.update('a', { status: 'completed' })
      const ids = (query: Parameters<typeof tasks.list>[0]) => tasks.list(query).map((task) => task.id)
      expect(ids({})).toEqual(['c', 'a', 'b', 'other'])
      expect(ids({ repo: '/r' })).toEqual(['c', 'a', 'b'])
      expect(ids({ repo: '/r', status: 'open' })).toEqual(['c', 'b'])
      expect(ids({ limit: 2 })).toEqual(['c', 'a'])
      expect(ids({ limit: 0 })).toHaveLength(4)
      expect(ids({ repo: '/none' })).toEqual([])
    })

    test('an update keeps missing fields and clears blank ones', () => {
      const { tasks } = place.store
      make('p')
      make('d')
      make('t', { dependsOn: ['d', 'd'], parent: 'p' })
      tasks.update('t', { description: 'long' })
      place.clock.now += 5
      expect(tasks.update('t', { status: 'in_progress' })).toMatchObject({
        title: 'title t',
        description: 'long',
        repo: '/r',
        dependsOn: ['d'],
        parent: 'p',
        status: 'in_progress',
        updated: place.clock.now,
        created: place.clock.now - 5,
      })
      expect(
        tasks.update('t', { description: '', repo: '', parent: '', dependsOn: [], title: 'new' }),
      ).toMatchObject({ title: 'new', description: '', repo: '', dependsOn: [], parent: null })
    })

    test.each<[string, () => unknown, string]>([
      ['itself', () => place.store.tasks.update('a', { dependsOn: ['a'] }), 'a -> a'],
      ['itself at birth', () => make('z', { dependsOn: ['z'] }), 'z -> z'],
      ['two', () => place.store.tasks.update('a', { dependsOn: ['b'] }), 'a -> b -> a'],
      ['three', () => place.store.tasks.update('a', { dependsOn: ['d', 'c'] }), 'a -> c -> b -> a'],
      ['its own parent', () => place.store.tasks.update('a', { parent: 'a' }), 'a -> a'],
      ['its grandchild', () => place.store.tasks.update('p', { parent: 'r' }), 'p -> r -> q -> p'],
    ])('rejects and shows a cycle: %s', (_, work, way) => {
      make('a')
      make('b', { dependsOn: ['a'] })
      make('c', { dependsOn: ['b'] })
      make('d')
      make('p')
      make('q', { parent: 'p' })
      make('r', { parent: 'q' })
      const before = place.store.tasks.list({})
      const failure = failureOf(work)
      expect(failure.code).toBe('cycle')
      expect(failure.message).toContain(way)
      expect(place.store.tasks.list({})).toEqual(before)
    })

    test('accepts a diamond, which is not a cycle', () => {
      make('a')
      make('b', { dependsOn: ['a'] })
      make('c', { dependsOn: ['a'] })
      expect(make('d', { dependsOn: ['b', 'c', 'a'] }).dependsOn).toEqual(['b', 'c', 'a'])
    })

    test.each<[string, () => unknown]>([
      ['dependency', () => make('x', { dependsOn: ['nope'] })],
      ['parent', () => make('x', { parent: 'nope' })],
      ['task', () => place.store.tasks.update('nope', { title: 'x' })],
    ])('rejects an unknown %s and stores nothing', (_, work) => {
      const failure = failureOf(work)
      expect(failure).toMatchObject({ code: 'not_found' })
      expect(failure.message).toContain('nope')
      expect(place.store.tasks.get('x')).toBeUndefined()
    })

    test('removes a deleted task from the dependencies of others', () => {
      const { tasks } = place.store
      make('a')
      make('b')
      make('c', { dependsOn: ['a', 'b'], parent: 'a' })
      expect(tasks.delete('a')).toBe(true)
      expect(tasks.delete('a')).toBe(false)
      expect(tasks.get('c')).toMatchObject({ dependsOn: ['b'], parent: null })
    })
  })
}
