// Check that a new repository cannot make git start a program, because it has only settings of a short list.
import { constants, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathExists } from '../base/files/path-lookup.ts'
import { inDirectory, inFile } from '../base/files/pinned-directory.ts'

/** Matches git settings that neither start programs nor lead git to repository data in another directory. */
const harmlessKeys = new RegExp(
  [
    String.raw`^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|symlinks|`,
    'precomposeunicode|autocrlf|eol|worktree|sharedrepository)|',
    String.raw`extensions\.(?:objectformat|worktreeconfig|refstorage|partialclone)|user\.(?:name|email)|`,
    String.raw`init\.defaultbranch|branch\..*\.(?:remote|merge|rebase)|`,
    String.raw`remote\..*\.(?:url|fetch|pushurl|tagopt|promisor|partialclonefilter)|`,
    String.raw`submodule\.(?:active|.*\.(?:url|active))|`,
    String.raw`push\.default|pull\.rebase|commit\.gpgsign|receive\.deny(?:currentbranch|nonfastforwards))$`,
  ].join(''),
)

/** Matches URLs that make git start a program. */
const startingUrl = /^(?:-|ext::|fd::|"?\w+::)/

/** Names in a repository directory that change the behavior of git when they exist. */
const settings = ['config.worktree', 'commondir', 'modules', 'worktrees', 'rebase-merge', 'sequencer']

/**
 * Returns true if no setting of the repository makes git start a program; false in doubt. `dir` is the real
 * path of its directory.
 */
export function isHarmlessRepository(dir: string): boolean {
  return (
    inDirectory(dir, ({ at }) => {
      if (settings.some((name) => pathExists(at(name)))) return false
      const names = readdirSync(at('.'), { withFileTypes: true })
      if (names.some((one) => one.isSymbolicLink() && one.name !== 'HEAD')) return false
      if (names.some(({ name }) => name === 'hooks') && !areSamples(join(dir, 'hooks'))) return false
      return !pathExists(at('info/attributes')) && isHarmlessConfig(join(dir, 'config'))
    }) === true
  )
}

/**
 * Returns true if all hooks are samples or a `README`, which git never starts. Git starts a hook only under
 * its exact name.
 */
function areSamples(hooks: string): boolean {
  const names = inDirectory(hooks, ({ at }) => readdirSync(at('.')))
  return names?.every((name) => name.endsWith('.sample') || name === 'README') === true
}

function isHarmlessConfig(path: string): boolean {
  if (!pathExists(path)) return true
  const text = inFile(path, constants.O_RDONLY, (fd) => readFileSync(fd, 'utf8'))
  if (text === undefined || text.length > 65_536) return false
  let section = ''
  for (const line of text.split('\n')) {
    const heading = /^\[([\w.-]+)(?: "([^"\\]*)")?\]\s*$/.exec(line)
    if (heading) section = [heading[1], heading[2]].filter((part) => part !== undefined).join('.')
    else if (!isHarmlessLine(section, line)) return false
  }
  return true
}

function isHarmlessLine(section: string, line: string): boolean {
  if (/^\s*(?:[#;].*)?$/.test(line)) return true
  const [, key, value = ''] = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*([^\\]*))?$/.exec(line) ?? []
  if (key === undefined || !harmlessKeys.test(`${section}.${key}`.toLowerCase())) return false
  return !/url$/i.test(key) || !startingUrl.test(value)
}
