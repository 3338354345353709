// The connection: transactions that hold, values that come back, the driver's traps.
import { expect, test } from 'vitest'
import { retryWhileBusy, type SqlValue } from '../../../internal/store/connection.ts'
import { shelf } from '../../support/store.ts'

const place = shelf()
const table = () => place.db.exec('CREATE TABLE x (a)')
const count = () => place.db.get<{ n: number }>('SELECT count(*) AS n FROM x')?.n

test.each<[string, SqlValue, unknown]>([
  ['text', 'é😀\n', 'é😀\n'],
  ['text with a NUL, which the driver would cut there', 'a\0b', 'a\ufffdb'],
  ['a large integer', 2 ** 52, 2 ** 52],
  ['a fraction', -1.5, -1.5],
  ['nothing', null, null],
  ['bytes', new Uint8Array([0, 1, 255]), new Uint8Array([0, 1, 255])],
])('%s comes back', (_, value, expected) => {
  table()
  place.db.run('INSERT INTO x VALUES (?)', value)
  for (const row of [place.db.get('SELECT a FROM x'), place.db.all('SELECT a FROM x')[0]]) {
    expect(Object.keys(row as object)).toEqual(['a'])
    const a = (row as { a: unknown }).a
    expect(a instanceof Uint8Array ? new Uint8Array(a) : a).toEqual(expected)
  }
})

test('an error undoes the whole transaction, also a nested part of it', () => {
  table()
  const work = () =>
    place.db.write(() => {
      place.db.run('INSERT INTO x VALUES (1)')
      place.db.write(() => place.db.run('INSERT INTO x VALUES (2)'))
      throw new Error('stop')
    })
  expect(work).toThrow('stop')
  expect(count()).toBe(0)
  place.db.write(() => place.db.run('INSERT INTO x VALUES (3)'))
  expect(count()).toBe(1)
})

test('rows that a statement returns do not keep the lock', () => {
  table()
  place.db.all('INSERT INTO x VALUES (1), (2) RETURNING a')
  place.db.get('SELECT a FROM x')
  place.store.todos.replace('t', [{ id: '1', content: 'a', status: 'pending' } as never])
  expect(place.store.todos.read('t')).toMatchObject([{ content: 'a' }])
})

test('work that finds the database busy is tried again, other errors go up at once', () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
  let tries = 0
  expect(
    retryWhileBusy(() => {
      if (++tries < 4) throw busy
      return 'done'
    }),
  ).toBe('done')
  expect(() =>
    retryWhileBusy(() => {
      throw busy
    }, 5),
  ).toThrow(busy)
  tries = 0
  expect(() =>
    retryWhileBusy(() => {
      tries++
      throw new Error('other')
    }),
  ).toThrow('other')
  expect(tries).toBe(1)
})
