// What reading a file threw, as a diagnostic; bugs are thrown on.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { diagnoseError } from '../../../internal/base/diagnostic.ts'
import { UserError } from '../../../internal/base/errors.ts'

test('reports a UserError with its hint', () => {
  expect(diagnoseError('a.md', new UserError('wrong'))).toEqual({
    severity: 'error',
    where: 'a.md',
    message: 'wrong',
  })
  expect(diagnoseError('a.md', new UserError('wrong', { hint: 'fix it' })).hint).toBe('fix it')
})

test('reports a system error with its file', () => {
  const read = () => readFileSync('/nowhere/at/all')
  try {
    read()
    expect.unreachable()
  } catch (error) {
    expect(diagnoseError('a.md', error)).toMatchObject({
      severity: 'error',
      message: expect.stringContaining('ENOENT'),
    })
  }
})

test('throws a programming error again', () => {
  expect(() => diagnoseError('a.md', new TypeError('x is not a function'))).toThrow(TypeError)
})
