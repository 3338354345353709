// Sources of content for git, detected without git.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { oddSetting, repositoryDoubt } from '../../../../../internal/policy/shell/git/repository-doubt.ts'
import { git, repoWith } from '../../../../support/repo.ts'
import { remove } from '../../policies.ts'

let repo = ''
beforeEach(() => {
  repo = repoWith({ 'a.txt': 'x\n', 'sub/b': '' })
})
afterEach(() => remove(repo))

test('accepts a plain repository and common settings', () => {
  expect(repositoryDoubt(repo)).toBeUndefined()
  expect(repositoryDoubt(join(repo, 'sub'))).toBeUndefined()
  for (const [key, value] of [
    ...[
      ['user.name', 'x'],
      ['remote.origin.url', 'https://x'],
      ['branch.main.remote', 'origin'],
      ['pull.rebase', 'true'],
    ],
    ...[
      ['core.autocrlf', 'input'],
      ['filter.lfs.clean', 'git-lfs clean'],
      ['alias.s', 'status'],
      ['color.ui', 'auto'],
    ],
  ])
    git(repo, 'config', key as string, value as string)
  expect(repositoryDoubt(repo)).toBeUndefined()
})

test.each([
  ['core.worktree', '/etc'],
  ['core.bare', 'true'],
  ['include.path', '/x'],
  ['includeIf.onbranch:main.path', '/x'],
  ['extensions.partialClone', 'origin'],
  ['extensions.worktreeConfig', 'true'],
  ['mailmap.file', '/x'],
  ['diff.orderFile', '/x'],
])('the setting %s is doubt', (key, value) => {
  git(repo, 'config', '--file', '.git/config', key, value)
  expect(repositoryDoubt(repo)).toContain('.git/config')
})

const other = () => repoWith({ secret: 'x' })

test.each<[string, () => void]>([
  ['alternates', () => writeFileSync(join(repo, '.git/objects/info/alternates'), '/x\n')],
  ['commondir', () => writeFileSync(join(repo, '.git/commondir'), '/x\n')],
  [
    'a file that names another folder',
    () => {
      renameSync(join(repo, '.git'), join(repo, 'g'))
      writeFileSync(join(repo, '.git'), 'gitdir: g\n')
    },
  ],
  [
    'a link to another repository',
    () => {
      rmSync(join(repo, '.git'), { recursive: true })
      symlinkSync(join(other(), '.git'), join(repo, '.git'))
    },
  ],
  [
    'objects of another repository',
    () => {
      rmSync(join(repo, '.git/objects'), { recursive: true })
      symlinkSync(join(other(), '.git/objects'), join(repo, '.git/objects'))
    },
  ],
  [
    'a config that is a pipe',
    () => {
      rmSync(join(repo, '.git/config'))
      execFileSync('mkfifo', [join(repo, '.git/config')])
    },
  ],
  [
    'a folder that is a repository itself',
    () => {
      rmSync(join(repo, '.git'), { recursive: true })
      mkdirSync(join(repo, 'bare'))
      execFileSync('git', ['init', '-q', '--bare', repo])
    },
  ],
])('%s is doubt', (_, change) => {
  change()
  expect(repositoryDoubt(repo)).toMatch(/\S{3}/)
})

test.each([
  ...[
    '[core] worktree = /x',
    '[core]\nworktree=/x',
    '[core]\n\tWorkTree = /x',
    '[core]\na = b \\\nc',
    '[unknown]',
    '[core "x"] worktree = /x',
  ],
  ...[
    'x = y',
    '[core]\n[include] path = x',
    '[CORE]\nworktree',
    '[core]\nfilemode = true\r\nworktree = x',
    '[core][include]',
    '[core]\n!x',
    '[inc\\lude]',
  ],
])('%j is odd', (text) => expect(oddSetting(text)).toMatch(/\S/))
test('rejects a link at any depth below objects, refs and logs', () => {
  const top = mkdtempSync(join(tmpdir(), 'anode-links-'))
  const places = [
    'objects/ab',
    'objects/pack/x',
    'refs/remotes',
    'refs/heads/a/b',
    'refs/tags/v',
    'logs',
    'logs/refs/x',
  ]
  for (const [i, place] of places.entries()) {
    const repo = join(top, `r${i}`)
    for (const dir of [
      'objects/pack',
      'refs/heads/a',
      'refs/tags',
      ...(place === 'logs' ? [] : ['logs/refs']),
    ])
      mkdirSync(join(repo, '.git', dir), { recursive: true })
    writeFileSync(join(repo, '.git/HEAD'), 'ref: refs/heads/main\n')
    expect(repositoryDoubt(repo), place).toBeUndefined()
    symlinkSync(top, join(repo, '.git', place))
    expect(repositoryDoubt(repo), place).toContain(place)
  }
  rmSync(top, { recursive: true })
})
