// Repositories whose settings try to start programs. Each known way writes its name to a canary.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from './repo.ts'
import { quoteWord } from './shell-word.ts'

/**
 * Every setting of git-config(1) of 2.39 that contains a program or a shell command, as `key = value` with
 * CANARY for the program. NAME is a driver that .gitattributes selects for every file. Missing are settings
 * that git reads only from the user's files (uploadpack.packObjectsHook) and those of programs other than
 * git (gitweb, gitcvs).
 */
export const programSettings: readonly string[] = [
  'core.fsmonitor',
  'core.pager',
  'core.editor',
  'core.sshCommand',
  'core.askPass',
  'core.gitProxy',
  'core.alternateRefsCommand',
  'sequence.editor',
  'interactive.diffFilter',
  'diff.external',
  'diff.NAME.command',
  'diff.NAME.textconv',
  'filter.NAME.clean',
  'filter.NAME.smudge',
  'filter.NAME.process',
  'merge.NAME.driver',
  'merge.tool',
  'mergetool.NAME.cmd',
  'mergetool.NAME.path',
  'difftool.NAME.cmd',
  'difftool.NAME.path',
  'diff.tool',
  'guitool.NAME.cmd',
  'browser.NAME.cmd',
  'browser.NAME.path',
  'man.NAME.cmd',
  'man.NAME.path',
  'web.browser',
  'help.browser',
  'instaweb.httpd',
  'instaweb.browser',
  'gpg.program',
  'gpg.openpgp.program',
  'gpg.x509.program',
  'gpg.ssh.program',
  'gpg.ssh.defaultKeyCommand',
  'trailer.NAME.command',
  'trailer.NAME.cmd',
  'credential.helper',
  'credential.https://example.org.helper',
  'remote.origin.uploadpack',
  'remote.origin.receivepack',
  'remote.origin.proxy',
  'tar.NAME.command',
  'sendemail.smtpServer',
  'sendemail.toCmd',
  'sendemail.ccCmd',
  'imap.tunnel',
  'submodule.NAME.update',
  ...['diff', 'log', 'show', 'status', 'config', 'grep', 'branch'].map((verb) => `pager.${verb}`),
  ...['ls-files', 'rev-parse', 'diff', 'status', 'add', 'config'].map((verb) => `alias.${verb}`),
]

export const hooks = [
  'pre-commit',
  'post-commit',
  'commit-msg',
  'prepare-commit-msg',
  'post-checkout',
  'post-index-change',
  'post-merge',
  'pre-auto-gc',
  'reference-transaction',
  'fsmonitor-watchman',
  'post-rewrite',
  'pre-push',
  'sendemail-validate',
  'proc-receive',
]

export interface Canary {
  /** The program as a word of a shell. */
  program: string
  /** Returns the started programs, one per line; empty if nothing was started. */
  fired(): string
}

export function canaryIn(dir: string): Canary {
  mkdirSync(dir, { recursive: true })
  const log = join(dir, 'fired')
  const program = join(dir, 'canary')
  writeFileSync(program, `#!/bin/sh\necho "$*" >> '${log}'\nexit 1\n`, { mode: 0o755 })
  return { program: quoteWord(program), fired: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') }
}

/** Makes the committed repository in `dir` hostile, with a change that git has to read. */
export function plantPrograms(dir: string, { program }: Canary): void {
  const driver = 'evil'
  for (const key of programSettings) {
    const shell = key.startsWith('alias.') || key.endsWith('.update')
    const value = `${shell ? '!' : ''}${program} ${key}`
    execFileSync('git', ['config', '--file', join(dir, '.git', 'config'), key.replace('NAME', driver), value])
  }
  const more = [
    ...['commit.gpgSign', 'tag.gpgSign', 'log.showSignature', 'merge.verifySignatures'],
    ...['submodule.recurse', 'core.untrackedCache', `filter.${driver}.required`, 'protocol.file.allow'],
  ]
  for (const key of more)
    git(dir, 'config', '--file', '.git/config', key, key.startsWith('protocol') ? 'always' : 'true')
  for (const hook of hooks)
    writeFileSync(join(dir, '.git', 'hooks', hook), `#!/bin/sh\n${program} hook ${hook}\n`, { mode: 0o755 })
  mkdirSync(join(dir, '.git', 'info'), { recursive: true })
  const attributes = `* diff=${driver} filter=${driver} merge=${driver}\n`
  writeFileSync(join(dir, '.git', 'info', 'attributes'), attributes)
  writeFileSync(join(dir, '.gitattributes'), attributes)
}

/** Makes a partial clone with a missing blob, which git fetches by the command that the repository names. */
export function plantLazyFetch(dir: string, { program }: Canary, file: string): void {
  const id = git(dir, 'rev-parse', `:${file}`).trim()
  const object = join(dir, '.git', 'objects', id.slice(0, 2), id.slice(2))
  execFileSync('rm', ['-f', object])
  const settings = {
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.url': '.',
    'remote.origin.promisor': 'true',
    'remote.origin.uploadpack': `${program} uploadpack; false`,
    'protocol.allow': 'always',
    'protocol.file.allow': 'always',
  }
  for (const [key, value] of Object.entries(settings)) git(dir, 'config', '--file', '.git/config', key, value)
}
