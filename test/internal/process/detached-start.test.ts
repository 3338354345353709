// Starts of this program that outlive the starting process: words that the system does not accept.
import { expect, test } from 'vitest'
import { startAndForget, startDetached } from '../../../internal/process/detached-start.ts'
import { scratchWith } from '../../support/scratch.ts'

const tooLong = 'x'.repeat(3_000_000)

test.each([
  ['a NUL byte in a word', ['one', 'two\0'], {}, 'bad_args'],
  ['a NUL byte in a variable', ['one'], { NAME: 'a\0b' }, 'bad_args'],
  ['a word that is too long', ['one', tooLong], {}, 'too_large'],
  ['a variable that is too long', ['one'], { NAME: tooLong }, 'too_large'],
] as const)('%s fails with what to do next', async (_, words, env, code) => {
  const start = { cwd: scratchWith({}), env, program: '/dev/null' }
  const failure = { failure: expect.objectContaining({ code, hint: expect.stringMatching(/\.$/) }) }
  expect(() => startDetached(words, start)).toThrow(expect.objectContaining(failure))
  await expect(startAndForget(words, start)).rejects.toMatchObject(failure)
})

test('starts the program with its words and its input', async () => {
  const cwd = scratchWith({ 'echo.cjs': "console.log(process.argv.slice(2).join('|'))" })
  const line = await startAndForget(['a b', '--c'], { cwd, env: {}, program: 'echo.cjs', input: '' })
  expect(line).toBe('a b|--c')
})
