// Runs the scripts that belong to skills as the programs they are, in a scratch directory.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a directory with these files, removed after the test. */
export function scratch(files: Readonly<Record<string, string>> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'anode-script-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  return dir
}

export interface Ran {
  code: number | null
  out: string
  err: string
}

/** Runs `skills/<path>` with bash or node. */
export function runScript(path: string, args: readonly string[], cwd: string, input = ''): Ran {
  const program = path.endsWith('.sh') ? 'bash' : process.execPath
  const ran = spawnSync(program, [join(process.cwd(), 'skills', path), ...args], {
    cwd,
    input,
    encoding: 'utf8',
    env,
  })
  return { code: ran.status, out: ran.stdout, err: ran.stderr }
}

/** Runs git in a scratch repository, with a fixed author and fixed times. */
export function git(cwd: string, ...args: string[]): string {
  const ran = spawnSync('git', args, { cwd, encoding: 'utf8', env })
  if (ran.status !== 0) throw new Error(`git ${args.join(' ')}: ${ran.stderr}`)
  return ran.stdout.trim()
}

const env = {
  PATH: process.env.PATH,
  HOME: tmpdir(),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_AUTHOR_DATE: '2026-03-01T14:30:00Z',
  GIT_COMMITTER_DATE: '2026-03-01T14:30:00Z',
}
