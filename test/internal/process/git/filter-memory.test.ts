// The cache of filter names: git is asked once per state of a repository, and again after
// each possible change.
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rememberFilters } from '../../../../internal/process/git/filter-memory.ts'
import { disabledFilters } from '../../../../internal/process/git/git-drivers.ts'
import type { RunCommand } from '../../../../internal/process/process-command.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { untilOld } from '../../../support/waiting.ts'
import { runnerIn, scratch } from '../scratch.ts'

/** Returns a repository, and the number of git processes for the names of its filters. */
async function watched() {
  const dir = repoWith({ 'a.txt': 'a\n' })
  const home = scratch()
  const before = process.env.HOME
  process.env.HOME = home
  onTestFinished(() => {
    process.env.HOME = before
  })
  const { run } = runnerIn(scratch(), { env: { ...process.env, HOME: home } })
  let calls = 0
  const counted: RunCommand = (command) => {
    calls++
    return run(command)
  }
  const memory = rememberFilters()
  const names = async (cwd = dir) =>
    (await disabledFilters(counted, cwd, { memory })).map(([key]) => key).sort()
  const started = async (cwd = dir) => {
    const from = calls
    await names(cwd)
    return calls - from
  }
  await untilOld(60, dir)
  return { dir, home, names, started }
}

const trap = '[filter "trap"]\n\tclean = x\n'

describe('new filters', () => {
  const ways: [string, (at: { dir: string; home: string }) => void][] = [
    ['in the configuration', ({ dir }) => git(dir, 'config', 'filter.trap.clean', 'x')],
    ['appended to it', ({ dir }) => appendFileSync(join(dir, '.git/config'), trap)],
    [
      'by a file that was moved there',
      ({ dir }) => {
        writeFileSync(join(dir, 'other'), trap)
        renameSync(join(dir, 'other'), join(dir, '.git/config'))
      },
    ],
    [
      'by a link in its place',
      ({ dir }) => {
        writeFileSync(join(dir, 'other'), trap)
        rmSync(join(dir, '.git/config'))
        symlinkSync(join(dir, 'other'), join(dir, '.git/config'))
      },
    ],
    ["in the user's own", ({ home }) => writeFileSync(join(home, '.gitconfig'), trap)],
    [
      "in the user's other",
      ({ home }) => {
        mkdirSync(join(home, '.config/git'), { recursive: true })
        writeFileSync(join(home, '.config/git/config'), trap)
      },
    ],
    [
      'of the checkout',
      ({ dir }) => {
        git(dir, 'config', 'extensions.worktreeConfig', 'true')
        writeFileSync(join(dir, '.git/config.worktree'), trap)
      },
    ],
    [
      'in what is included',
      ({ dir }) => {
        git(dir, 'config', 'include.path', 'more')
        writeFileSync(join(dir, '.git/more'), trap)
      },
    ],
    [
      'of a submodule',
      ({ dir }) => {
        const other = repoWith({ 'c.txt': 'c\n' })
        git(dir, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'module')
        git(join(dir, 'module'), 'config', 'filter.trap.clean', 'x')
      },
    ],
  ]

  it.each(ways)('are found: %s', async (_, change) => {
    const at = await watched()
    expect(await at.names()).toEqual([])
    expect(await at.started()).toBe(0)
    change(at)
    expect(await at.names()).toEqual(['filter.trap.clean'])
  })

  it('are found after a second change of an included file or a submodule', async () => {
    const at = await watched()
    git(at.dir, 'config', 'include.path', 'more')
    await untilOld(60, at.dir)
    expect(await at.names()).toEqual([])
    writeFileSync(join(at.dir, '.git/more'), trap)
    expect(await at.names()).toEqual(['filter.trap.clean'])
  })
})

it('stores a separate answer for each checkout', async () => {
  const at = await watched()
  git(at.dir, 'config', 'extensions.worktreeConfig', 'true')
  const other = join(scratch(), 'other')
  git(at.dir, 'worktree', 'add', '-q', other)
  git(other, 'config', '--worktree', 'filter.trap.clean', 'x')
  await untilOld(60, at.dir, other)
  expect([await at.names(), await at.names(other)]).toEqual([[], ['filter.trap.clean']])
  expect([await at.started(), await at.started(other)]).toEqual([0, 0])
  expect([await at.names(), await at.names(other)]).toEqual([[], ['filter.trap.clean']])
})

it('does not rely on a file that could still change within one tick of the clock', async () => {
  const at = await watched()
  git(at.dir, 'config', 'a.b', 'c')
  expect(await at.started()).toBeGreaterThan(0)
  git(at.dir, 'config', 'a.b', 'd')
  expect(await at.started()).toBeGreaterThan(0)
})
