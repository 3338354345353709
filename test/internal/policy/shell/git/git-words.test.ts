// How git commands run other programs.
import { expect, test } from 'vitest'
import { readGit } from '../../../../../internal/policy/shell/git/git-words.ts'
import { plainWord } from '../../../../../internal/policy/shell/syntax/simple-command.ts'

const git = (line: string) => {
  const found = readGit(`git ${line}`.split(' ').map((text) => plainWord(text.replaceAll('_', ' '))))
  return { ...found, inner: found.inner?.map((word) => word.text).join(' ') }
}

test.each([
  'log -1',
  'status',
  'diff HEAD -- a',
  'push origin main',
  'commit -m x',
  'config --get a.b',
  '--version',
  'config --list',
])('git %s runs nothing else', (line) =>
  expect(git(line)).toMatchObject({ opaque: undefined, unseen: false, scripts: [] }),
)

test.each([
  ['-c a=b log', 'option -c'],
  ['-C x log', 'option -C'],
  ['--exec-path=x log', 'option --exec-path'],
  ['--git-dir x log', 'option --git-dir'],
  ['lg', 'may be an alias'],
  ['log --ext-diff', 'ext-diff'],
  ['log --outp=x', 'output'],
  ['grep -O x', '-O'],
  ['fetch --upload-pack=x', 'upload-pack'],
  ['clone ext::sh_-c_x', 'ext::'],
  ['difftool', 'starts other programs'],
  ['config a.b c', 'changes settings'],
  ['submodule update', 'may run programs'],
  ['bisect run x', 'may run programs'],
  ['rebase -i', '-i'],
  ['fetch --uplo x .', 'upload-pack'],
  ['push --exec x .', 'exec'],
  ['clone -u x .', '-u'],
  ['merge -s x a', '-s'],
  ['log --show-signature', 'show-signature'],
])('git %s needs an exact rule: %s', (line, why) => expect(git(line).opaque).toContain(why))

test.each([
  'fetch --upload-pack x .',
  'fetch --uplo x .',
  'push --exec x .',
  'ls-remote --upload-p x .',
  'clone -u x .',
  'merge -s x a',
  'grep -O x',
  'log --ext',
  'config a.b c',
  'difftool',
])('git %s may run what no word of it shows', (line) => expect(git(line).unseen).toBe(true))

test('finds commands in the options of git', () => {
  expect(git('-c alias.x=!rm_a x')).toMatchObject({ scripts: ['rm a'], unseen: true, inner: 'git x' })
  expect(git('-c alias.x=push x').scripts).toEqual(['git push'])
  expect(git('-c core.fsmonitor=rm_a status').scripts).toEqual(['rm a'])
  expect(git('-c user.name=rm_a status').scripts).toEqual([])
  expect(git('bisect run rm a').scripts).toEqual(['rm a'])
  expect(git('submodule foreach --recursive rm_a').scripts).toEqual(['rm a'])
  expect(git('rebase -x rm_a main').scripts).toEqual(['rm a'])
  expect(git('rebase --exec=rm_a main').scripts).toEqual(['rm a'])
  expect(git('--no-pager -P log')).toMatchObject({ inner: 'git log', opaque: undefined })
})
