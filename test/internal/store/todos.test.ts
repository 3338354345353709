// Todo lists: what the contract leaves open.
import { expect, test } from 'vitest'
import { shelf } from '../../support/store.ts'

const place = shelf()

test('another connection reads either the old or the new list', () => {
  const { todos } = place.store
  todos.replace('t', [{ id: '1', content: 'old', status: 'pending' }])
  const read = () => place.db.all<{ content: string }>('SELECT content FROM todo').map((row) => row.content)
  place.db.write(() => {
    place.db.run('DELETE FROM todo')
    place.db.run("INSERT INTO todo VALUES ('t', 0, '1', 'new', 'pending', NULL, NULL)")
    expect(todos.read('t')).toMatchObject([{ content: 'old' }])
  })
  expect(todos.read('t')).toMatchObject([{ content: 'new' }])
  expect(read()).toEqual(['new'])
})
