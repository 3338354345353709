// The three kinds of error and what is read off thrown values.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codeOf, FailureError, messageOf, UserError } from '../../../internal/base/errors.ts'

it('a UserError has a cause, a hint and an exit code', () => {
  const cause = new Error('inner')
  const error = new UserError('cannot', { hint: 'do this', exit: 4, cause })
  expect([error.message, error.hint, error.exit, error.cause]).toEqual(['cannot', 'do this', 4, cause])
  expect(new UserError('plain')).toMatchObject({ hint: undefined, exit: 2 })
  expect('cause' in new UserError('plain')).toBe(false)
})

it('a FailureError carries a Failure through code that can only throw', () => {
  const failure = { code: 'not_found', message: 'no such thing' } as const
  const error = new FailureError(failure, 'why')
  expect([error.failure, error.message, error.cause]).toEqual([failure, 'no such thing', 'why'])
})

it('reads the code and message of any thrown value', () => {
  let thrown: unknown
  try {
    readFileSync('/nowhere/at/all')
  } catch (error) {
    thrown = error
  }
  expect(codeOf(thrown)).toBe('ENOENT')
  expect([codeOf(null), codeOf('x'), codeOf({ code: 7 })]).toEqual([undefined, undefined, undefined])
  expect([messageOf(new Error('a')), messageOf('b')]).toEqual(['a', 'b'])
})
