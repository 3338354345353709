// What system errors become.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import { explainErrno } from '../../../../internal/base/files/errno.ts'

function thrown(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

it('names the file, gives a code and keeps the cause', () => {
  const cause = thrown(() => readFileSync('/nowhere/at/all'))
  const error = explainErrno(cause, 'all') as FailureError
  expect(error).toBeInstanceOf(FailureError)
  expect(error.failure).toEqual({ code: 'not_found', message: 'all does not exist' })
  expect(error.cause).toBe(cause)
})

it.each([
  ['ENOSPC', 'io'],
  ['EROFS', 'io'],
  ['EACCES', 'io'],
  ['ENOTDIR', 'not_a_directory'],
  ['EISDIR', 'is_directory'],
  ['EEXIST', 'file_exists'],
  ['ENAMETOOLONG', 'bad_args'],
  ['EIO', 'io'],
])('%s is %s', (code, expected) => {
  const error = explainErrno(Object.assign(new Error('x'), { code }), 'f') as FailureError
  expect(error.failure.code).toBe(expected)
})

it('leaves bugs and Failures as they are', () => {
  const bug = new TypeError('x is not a function')
  const failure = new FailureError({ code: 'denied', message: 'no' })
  expect(explainErrno(bug, 'f')).toBe(bug)
  expect(explainErrno(failure, 'f')).toBe(failure)
  const own = Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' })
  expect(explainErrno(own, 'f')).toBe(own)
})
