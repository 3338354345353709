// The environment that keeps git from starting programs, as data.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hardenedGitEnvironment, runUnblocked } from '../../../../internal/process/git/git-environment.ts'
import { findGitLayout } from '../../../../internal/process/git/git-layout.ts'
import { repoWith } from '../../../support/repo.ts'
import { quoteWord } from '../../../support/shell-word.ts'
import { bash, runnerIn, scratch } from '../scratch.ts'

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

// Work that waits for a file without end is ended, with the name of the file; other work is left alone.

test('ends a child process that waits for a pipe, and reports the pipe', async () => {
  const dir = repoWith({ 'sub/a.txt': 'a\n' })
  const { run } = runnerIn(scratch())
  const pipe = join(dir, 'sub', '.gitignore')
  execFileSync('mkfifo', [pipe])
  const work = (signal: AbortSignal) => run(bash(`cat ${quoteWord(pipe)}`, dir, { signal }))
  await expect(runUnblocked(findGitLayout(dir), dir, undefined, work)).rejects.toMatchObject({
    failure: { code: 'io', message: expect.stringContaining(pipe) },
  })
})

test('an abort by the caller still ends the command', async () => {
  const dir = scratch()
  const { run } = runnerIn(scratch())
  const stop = new AbortController()
  const work = (signal: AbortSignal) =>
    run(bash('echo up; sleep 60', dir, { signal, onOutput: () => stop.abort() }))
  expect(await runUnblocked(undefined, dir, stop.signal, work)).toMatchObject({ ended: 'cancelled' })
})
