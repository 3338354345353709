// Work that waits for a file without end is ended, with the name of the file; other work is left alone.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runUnblocked } from '../../../../internal/process/git/blocking-files.ts'
import { findGitLayout } from '../../../../internal/process/git/git-layout.ts'
import { repoWith } from '../../../support/repo.ts'
import { quoteWord } from '../../../support/shell-word.ts'
import { bash, runnerIn, scratch } from '../scratch.ts'

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
