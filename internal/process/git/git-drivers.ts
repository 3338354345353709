// The programs that the configuration of a repository defines under names of its choice (filters, drivers),
// and the settings that disable each.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { FailureError } from '../../base/errors.ts'
import type { CommandOutcome, RunCommand } from '../process-command.ts'
import type { FilterMemory, FoundFilters } from './filter-memory.ts'
import { type GitSetting, hardenedGitEnvironment, runUnblocked } from './git-environment.ts'
import { findGitLayout } from './git-layout.ts'
import { mayHaveSubmodules } from './index-submodules.ts'

/**
 * Matches the settings of filters: programs that change the content of files when git stages or checks them
 * out. With an empty program, git uses the content unchanged.
 */
const filters = '^filter\\..*\\.(clean|smudge|process|required)$'

/**
 * Matches settings of programs that no option disables for every subcommand. They are set to an empty text,
 * an alias to `!false`, so git reports an error and starts no such program.
 */
const drivers =
  '^(diff\\.external|diff\\..*\\.(command|textconv)|merge\\..*\\.driver|trailer\\..*' +
  '\\.(command|cmd)|tar\\..*\\.command|remote\\..*\\.(uploadpack|receivepack|vcs|proxy)|' +
  'credential\\..*\\.helper|pager\\..*|alias\\..*)$'

/**
 * Time limit in milliseconds for reading the configuration. Usually this takes a few milliseconds; a read
 * that exceeds the limit most likely includes a file without end.
 */
const limitMs = 10_000
const maxSubmodules = 200

interface AskOptions {
  signal?: AbortSignal
}

interface CachedOptions extends AskOptions {
  /** Cache for the programs of repositories. Default: git lists them at every call. */
  memory?: FilterMemory
}

/**
 * Returns settings that disable every content filter, also the user's, for the repository around `cwd` and
 * its submodules. Rejects with FailureError if git cannot list the filters.
 */
export async function disabledFilters(
  run: RunCommand,
  cwd: string,
  { memory, ...options }: CachedOptions = {},
): Promise<readonly GitSetting[]> {
  return findCached(run, cwd, { kind: 'filters', memory, options }, async () => {
    const repositories = await repositoriesAt(run, cwd, options)
    return { repositories, found: await keysAt(run, repositories, filters, options) }
  })
}

/** Returns settings that disable the programs that `search` finds, from the cache if it has them. */
async function findCached(
  run: RunCommand,
  cwd: string,
  { kind, memory, options }: { kind: 'filters' | 'all'; memory?: FilterMemory; options: AskOptions },
  search: () => Promise<{ repositories: readonly string[]; found: readonly FoundKey[] }>,
): Promise<readonly GitSetting[]> {
  const settle = async () => {
    const { repositories, found: keys } = await search()
    return { repositories, settings: [...new Set(keys.map(({ key }) => key))].map(withoutProgram) }
  }
  const layout = memory && findGitLayout(cwd)
  if (!memory || !layout) return (await settle()).settings
  return memory.find(layout, kind, async () => {
    const { repositories, settings } = await settle()
    return { settings, origins: repositories.length > 1 ? undefined : await originsAt(run, cwd, options) }
  })
}

/**
 * Returns the configuration files that git reads at `cwd`; undefined if git fails, its output is too long, or
 * a file includes others.
 */
async function originsAt(
  run: RunCommand,
  cwd: string,
  options: AskOptions,
): Promise<FoundFilters['origins']> {
  const args = ['config', '--show-origin', '--includes', '-z', '--name-only', '--list']
  const { exit, stdout } = await askGit(run, cwd, args, options)
  const fields = stdout.text.split('\0')
  const keys = fields.filter((_, i) => i % 2 === 1)
  // An included file may depend on the branch and may be created later, so the list of files
  // would be incomplete.
  if (exit !== 0 || stdout.cut || keys.some((key) => /^include(if)?\./i.test(key))) return undefined
  const origins = fields.filter((_, i) => i % 2 === 0)
  return origins.flatMap((text) => (text.startsWith('file:') ? resolve(cwd, text.slice(5)) : []))
}

/**
 * Returns the environment for a child that may start git in the repository around `cwd`. It extends
 * hardenedGitEnvironment: all filters are disabled, and so are the other programs that the configuration of
 * the repository defines. Other programs of the user's own configuration stay enabled. Outside a repository,
 * only the user's filters are disabled. Rejects with FailureError if git does not list the programs.
 */
export async function repositoryGitEnvironment(
  run: RunCommand,
  cwd: string,
  { memory, ...options }: CachedOptions = {},
): Promise<Record<string, string>> {
  const settings = await findCached(run, cwd, { kind: 'all', memory, options }, async () => {
    const repositories = await repositoriesAt(run, cwd, options)
    const keys = await keysAt(run, repositories, `${filters}|${drivers}`, options)
    // The drivers in the user's own configuration were chosen by the user and stay. But a filter's program
    // may follow settings of the repository, so every filter is disabled.
    return {
      repositories,
      found: keys.filter(({ key, scope }) => key.startsWith('filter.') || scope !== 'person'),
    }
  })
  return hardenedGitEnvironment(settings)
}

/**
 * Returns the environment of `repositoryGitEnvironment` for a child that may start git in any of these
 * directories. Missing directories contain no repository.
 */
export async function harmlessGitEnvironment(
  run: RunCommand,
  folders: readonly string[],
  options: AskOptions = {},
): Promise<Record<string, string>> {
  const settings: GitSetting[] = []
  for (const folder of folders.filter((path) => existsSync(path))) {
    const { GIT_CONFIG_COUNT: count, ...env } = await repositoryGitEnvironment(run, folder, options)
    for (let i = 0; i < Number(count); i++)
      settings.push([env[`GIT_CONFIG_KEY_${i}`] ?? '', env[`GIT_CONFIG_VALUE_${i}`] ?? ''])
  }
  return hardenedGitEnvironment([...new Map(settings)])
}

function withoutProgram(key: string): GitSetting {
  if (key.endsWith('.required')) return [key, 'false']
  return [key, key.startsWith('alias.') ? '!false' : '']
}

/**
 * Returns `cwd` and the submodules of its repository that are checked out, because git starts itself in them
 * and obeys their configuration. Throws FailureError `too_large` for more than 200 submodules in one
 * repository, or more than 6 levels of submodules.
 */
async function repositoriesAt(
  run: RunCommand,
  cwd: string,
  options: AskOptions,
  depth = 0,
): Promise<string[]> {
  const layout = findGitLayout(cwd)
  if (layout && !mayHaveSubmodules(layout)) return [cwd]
  const listed = await askGit(run, cwd, ['ls-files', '--stage', '-z', ':/'], options)
  if (listed.exit !== 0) return depth === 0 ? [cwd] : []
  const named = listed.stdout.text.split('\0').flatMap((row) => /^160000 [^\t]*\t(.*)$/s.exec(row)?.[1] ?? [])
  // In the empty directory of a submodule that is not checked out, git would find the outer repository, so
  // it is skipped.
  const paths = named.filter((path) => existsSync(join(cwd, path, '.git')))
  if (paths.length === 0) return [cwd]
  if (listed.stdout.cut || paths.length > maxSubmodules || depth > 5) {
    throw new FailureError({ code: 'too_large', message: `${cwd} has too many submodules to look through` })
  }
  const below = await Promise.all(
    paths.map((path) =>
      repositoriesAt(run, join(cwd, path), options, depth + 1).catch((error: unknown) => {
        // a submodule that is not checked out has no directory, so git starts nothing in it
        if (error instanceof FailureError && error.failure.code === 'not_found') return []
        throw error
      }),
    ),
  )
  return [cwd, ...below.flat()]
}

interface FoundKey {
  key: string
  /**
   * `repository`: set by the configuration of the repository or the checkout, or by a file that they include.
   * `person`: set by the configuration of the user or the system.
   */
  scope: 'repository' | 'person'
}

async function keysAt(
  run: RunCommand,
  repositories: readonly string[],
  pattern: string,
  options: AskOptions,
): Promise<FoundKey[]> {
  const keys: FoundKey[] = []
  for (const dir of repositories) {
    const args = ['config', '--show-scope', '--includes', '-z', '--name-only', '--get-regexp', pattern]
    const { exit, stdout, stderr } = await askGit(run, dir, args, options)
    // exit code 1 means that no key matches
    if (exit === 1) continue
    if (exit !== 0 || stdout.cut) {
      throw new FailureError({ code: 'command_failed', message: `git config: ${stderr.text.trim()}` })
    }
    const fields = stdout.text.split('\0')
    for (let i = 0; i + 1 < fields.length; i += 2) {
      const isOwn = fields[i] === 'local' || fields[i] === 'worktree'
      // A setting with scope `command` comes from the environment, where Anode itself sets it, so
      // it is skipped.
      if (fields[i] !== 'command')
        keys.push({ key: fields[i + 1] as string, scope: isOwn ? 'repository' : 'person' })
    }
  }
  return keys
}

async function askGit(
  run: RunCommand,
  cwd: string,
  args: readonly string[],
  { signal }: AskOptions,
): Promise<CommandOutcome> {
  const command = {
    file: 'git',
    args,
    cwd,
    extraEnv: { ...hardenedGitEnvironment(), LC_ALL: 'C' },
    timeoutMs: limitMs,
    keepBytes: 256 << 20,
    childless: true,
  }
  const outcome = await runUnblocked(findGitLayout(cwd), cwd, signal, (either) =>
    run({ ...command, signal: either }),
  )
  if (outcome.ended === undefined) return outcome
  const what = outcome.ended === 'timeout' ? `took longer than ${limitMs / 1000} s` : 'was cancelled'
  throw new FailureError({ code: outcome.ended, message: `git ${args[0]} in ${cwd} ${what}` })
}
