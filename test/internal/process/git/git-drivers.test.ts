// Which programs a repository names, and that the settings for a child leave none of them startable.
import { expect, test } from 'vitest'
import { disabledFilters, repositoryGitEnvironment } from '../../../../internal/process/git/git-drivers.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { runnerIn, scratch } from '../scratch.ts'

test('lists filters in every spelling, also of submodules, and none outside of a repository', async () => {
  const { run } = runnerIn(scratch())
  expect(await disabledFilters(run, scratch())).toEqual([])
  const other = repoWith({ 'c.txt': 'c\n' })
  const dir = repoWith({ 'a.txt': 'a\n' })
  git(dir, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'module')
  expect(await disabledFilters(run, dir)).toEqual([])
  git(dir, 'config', 'FILTER.a B.c.CLEAN', 'x')
  git(dir, 'config', 'filter.a B.c.required', 'true')
  git(`${dir}/module`, 'config', 'filter.deep.process', 'x')
  expect(Object.fromEntries(await disabledFilters(run, dir))).toEqual({
    'filter.a B.c.clean': '',
    'filter.a B.c.required': 'false',
    'filter.deep.process': '',
  })
})

test('replaces a driver of the repository, and keeps a driver of the user', async () => {
  const home = scratch()
  const { run } = runnerIn(scratch(), { env: { ...process.env, HOME: home } })
  const dir = repoWith({ 'a.txt': 'a\n' })
  git(dir, 'config', 'diff.mine.textconv', 'x')
  git(dir, 'config', '--file', `${home}/.gitconfig`, 'diff.theirs.textconv', 'y')
  const values = Object.values(await repositoryGitEnvironment(run, dir))
  expect(values).toContain('diff.mine.textconv')
  expect(values).not.toContain('diff.theirs.textconv')
})

test('reads a checkout whose submodules are empty directories or missing', async () => {
  const { run } = runnerIn(scratch())
  const dir = repoWith({ 'module/a.txt': 'a\n' })
  git(dir, 'rm', '-rq', '--cached', 'module')
  for (const path of ['module', 'missing'])
    git(dir, 'update-index', '--add', '--cacheinfo', `160000,${git(dir, 'rev-parse', 'HEAD').trim()},${path}`)
  git(dir, 'config', 'filter.own.clean', 'x')
  expect(Object.fromEntries(await disabledFilters(run, dir))).toEqual({ 'filter.own.clean': '' })
})
