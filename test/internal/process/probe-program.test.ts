// Trial starts: programs that succeed, fail, write errors, take too long, or do not exist.
import { expect, test } from 'vitest'
import { probeProgram } from '../../../internal/process/probe-program.ts'

test.each([
  ['exit 0', { exit: 0, errors: '' }],
  ['echo refused >&2; exit 3', { exit: 3, errors: 'refused\n' }],
  ['kill -9 $$', { exit: null, errors: '' }],
  ['test -z "$ANODE_SECRET_TOKEN" && test "$PWD" = /', { exit: 0, errors: '' }],
])('reports how `%s` ends', async (line, outcome) => {
  process.env.ANODE_SECRET_TOKEN = 'secret'
  expect(await probeProgram('/bin/sh', ['-c', line], 60_000)).toEqual(outcome)
  delete process.env.ANODE_SECRET_TOKEN
})

test('kills a program that takes too long', async () => {
  expect(await probeProgram('/bin/sleep', ['600'], 200)).toEqual({ exit: null, errors: '' })
})

test.each(['/no/such/program', '/etc/passwd'])('%s cannot be started', async (file) => {
  expect(await probeProgram(file, [], 60_000)).toBe(undefined)
})
