// Real git repositories of tests: a fixed author, without the settings of the current user.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { plant, scratch } from './scratch.ts'

const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  // A commit would start two more programs for maintenance, which a small repository does not need.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
}

export function git(dir: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Creates a repository on branch main whose first commit has these files. */
export function repoWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const dir = scratch()
  // the directories of the template without its sample hooks
  git(dir, 'init', '-q', '-b', 'main', '--template=')
  for (const name of ['hooks', 'info']) mkdirSync(join(dir, '.git', name))
  plant(dir, files)
  git(dir, 'add', '-A')
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'first')
  return dir
}
