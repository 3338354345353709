// The environment that keeps git from starting programs, as data.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { hardenedGitEnvironment } from '../../../../internal/process/git/git-environment.ts'

test('numbers every setting, and puts the extra settings last', () => {
  const env = hardenedGitEnvironment([['core.pager', 'mine']])
  const count = Number(env['GIT_CONFIG_COUNT'])
  for (let i = 0; i < count; i++) expect(env[`GIT_CONFIG_KEY_${i}`]).toMatch(/^[a-zA-Z0-9.]+$/)
  expect(env[`GIT_CONFIG_KEY_${count}`]).toBeUndefined()
  const asked = (key: string) =>
    execFileSync('git', ['config', key], { env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' })
  expect(asked('core.pager')).toBe('mine\n')
  expect(asked('core.hooksPath')).toBe('/dev/null\n')
  expect(asked('core.fsmonitor')).toBe('false\n')
})
