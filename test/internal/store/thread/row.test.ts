// Rows of threads: flags become booleans, a missing thread has one wording.
import { expect, test } from 'vitest'
import { noThread, readThread } from '../../../../internal/store/thread/row.ts'

test('converts a database row to a thread', () => {
  const row = {
    id: 'a',
    workspace: '/w',
    title: '',
    profile: 'p',
    model: null,
    parent: null,
    created: 1,
    updated: 2,
    events: 3,
  }
  expect(readThread({ ...row, archived: 1 })).toEqual({ ...row, archived: true })
  expect(readThread({ ...row, archived: 0 }).archived).toBe(false)
  expect(noThread('a').failure).toMatchObject({ code: 'not_found', detail: { id: 'a' } })
})
