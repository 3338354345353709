// Errors of the database driver, and the resulting failures.
import { expect, test } from 'vitest'
import { FailureError, UserError } from '../../../internal/base/errors.ts'
import {
  isBusy,
  makeDamagedError,
  readResultCode,
  translateSqliteError,
} from '../../../internal/store/sqlite-errors.ts'

const thrown = (code: string) => Object.assign(new Error('words'), { code })
const numbered = (errcode: number) => Object.assign(new Error('words'), { code: 'ERR_SQLITE_ERROR', errcode })

test.each<[unknown, string | undefined]>([
  [thrown('SQLITE_FULL'), 'SQLITE_FULL'],
  [numbered(14), 'SQLITE_CANTOPEN'],
  [numbered(26), 'SQLITE_NOTADB'],
  // extended codes have the primary one in their low byte
  [numbered(14 | (2 << 8)), 'SQLITE_CANTOPEN'],
  [numbered(10 | (3 << 8)), 'SQLITE_IOERR'],
  [numbered(1), undefined],
  [thrown('ENOSPC'), undefined],
  [new Error('x'), undefined],
  [null, undefined],
])('returns the code behind %s', (error, code) => {
  expect(readResultCode(error)).toBe(code)
})

test.each([
  ['SQLITE_FULL', 'io', 'full'],
  ['SQLITE_IOERR_WRITE', 'io', 'disk'],
  ['SQLITE_READONLY_DBMOVED', 'io', 'written'],
  ['SQLITE_CANTOPEN', 'io', 'opened'],
  ['SQLITE_BUSY_SNAPSHOT', 'busy', 'in use'],
  ['SQLITE_PROTOCOL', 'busy', 'in use'],
])('%s becomes the failure %s with the file name', (code, failure, word) => {
  const cause = thrown(code)
  const error = translateSqliteError(cause, '/data/anode.db') as FailureError
  expect(error).toBeInstanceOf(FailureError)
  expect(error.failure).toMatchObject({ code: failure, detail: { path: '/data/anode.db' } })
  expect(error.message).toContain(word)
  expect(error.message).toContain('/data/anode.db')
  expect(error.cause).toBe(cause)
  expect(isBusy(error)).toBe(failure === 'busy')
})

test.each(['SQLITE_CORRUPT', 'SQLITE_CORRUPT_VTAB', 'SQLITE_NOTADB'])(
  '%s is an error for the user',
  (code) => {
    const error = translateSqliteError(thrown(code), '/data/anode.db') as UserError
    expect(error).toBeInstanceOf(UserError)
    expect(error.message).toBe(makeDamagedError('/data/anode.db').message)
    expect(error.hint).toContain('untouched')
  },
)

test.each([thrown('SQLITE_CONSTRAINT_UNIQUE'), thrown('SQLITE_ERROR'), new TypeError('x')])(
  '%s is a bug and is unchanged',
  (error) => {
    expect(translateSqliteError(error, '/x')).toBe(error)
  },
)
