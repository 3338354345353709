// A repository that names programs in all settings that git starts, and the environment of commands with git.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PathRoots } from '../../../internal/policy/policy.ts'
import { foldersOfGit } from '../../../internal/policy/shell/git/hardened-lines.ts'
import { harmlessGitEnvironment } from '../../../internal/process/git/git-drivers.ts'
import { createRunner } from '../../../internal/process/run-command.ts'

const settings = `
[core]
  fsmonitor = evil
  pager = evil
  editor = evil
  askPass = evil
  sshCommand = evil
[pager]
  log = evil
  status = evil
  diff = evil
  show = evil
  grep = evil
  branch = evil
[diff]
  external = evil
[diff "y"]
  textconv = evil
  command = evil
[filter "x"]
  clean = evil
  smudge = evil
  required = true
[alias]
  x = !evil
  lg = !evil
[gpg]
  program = evil
[log]
  showSignature = true
[credential]
  helper = !evil
[remote "origin"]
  url = .
  uploadpack = evil
[trailer "x"]
  command = evil
[interactive]
  diffFilter = evil
[sequence]
  editor = evil
`

/** Makes the repository in `dir` hostile. Its programs are all called evil. */
export function spoil(dir: string): void {
  appendFileSync(join(dir, '.git/config'), settings)
  mkdirSync(join(dir, '.git/info'), { recursive: true })
  writeFileSync(join(dir, '.git/info/attributes'), '*.txt filter=x diff=y\n*.ts diff=y\n')
  mkdirSync(join(dir, '.git/hooks'), { recursive: true })
  for (const name of ['post-index-change', 'fsmonitor-watchman', 'pre-auto-gc', 'reference-transaction'])
    writeFileSync(join(dir, '.git/hooks', name), '#!/bin/sh\nevil\n', { mode: 0o755 })
}

/** Returns the variables that the tool bash adds if a command may run git without approval, as shell text. */
export async function gitVariables(workspace: string): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'anode-fuzz-run-'))
  const runner = createRunner({ dataDir, env: { PATH: process.env.PATH, HOME: process.env.HOME } })
  try {
    const found = await harmlessGitEnvironment(runner.run, [workspace])
    const lines = Object.entries({ ...found, CDPATH: '' })
    return lines.map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`).join('')
  } finally {
    await runner.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Whether the tool bash would add them to this command. */
export async function takesVariables(line: string, roots: PathRoots): Promise<boolean> {
  return line.includes('g') && (await foldersOfGit(line, roots.workspace, roots)) !== undefined
}
