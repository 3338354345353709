// Real git repositories of tests: a fixed author, no settings of the person who runs them.
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
  // a commit starts two more programs for this, which have nothing to do in a repository so small
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
}

export function git(dir: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** A repository on branch main whose first commit holds these files. */
export function repoWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const dir = scratch()
  // the folders of the template without its dozen of sample hooks
  git(dir, 'init', '-q', '-b', 'main', '--template=')
  for (const name of ['hooks', 'info']) mkdirSync(join(dir, '.git', name))
  plant(dir, files)
  git(dir, 'add', '-A')
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'first')
  return dir
}
