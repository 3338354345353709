// Errors of spawn that name the argument as the cause, and all others.
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { spawnFailure } from '../../../internal/process/spawn-failure.ts'

function failureOf(start: () => unknown) {
  try {
    start()
  } catch (error) {
    return spawnFailure(error, 'prog')?.failure
  }
  throw new Error('it was started')
}

test.each([
  ['a NUL byte in the program', () => spawn('a\0b'), 'bad_args'],
  ['a NUL byte in an argument', () => spawn('true', ['\0']), 'bad_args'],
  ['a NUL byte in a variable', () => spawn('true', { env: { A: '\0' } }), 'bad_args'],
  ['an argument that is too long', () => spawn('true', ['x'.repeat(3_000_000)]), 'too_large'],
  ['a directory that is not a text', () => spawn('true', { cwd: 1 as never }), undefined],
] as const)('names the cause of a start that fails by %s', (_, start, code) => {
  expect(failureOf(start)?.code).toBe(code)
})
