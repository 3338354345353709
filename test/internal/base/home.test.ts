// The home directory, from the environment or from the system.
import { homedir as systemHome } from 'node:os'
import { afterEach, expect, it } from 'vitest'
import { homedir } from '../../../internal/base/home.ts'

const before = process.env.HOME
afterEach(() => {
  process.env.HOME = before
})

it('prefers HOME to the home directory of the system account', () => {
  process.env.HOME = '/somewhere'
  expect(homedir()).toBe('/somewhere')
  process.env.HOME = ''
  expect(homedir()).toBe(systemHome())
  delete process.env.HOME
  expect(homedir()).toBe(systemHome())
})
