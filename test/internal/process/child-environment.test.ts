// The environment of child processes: the allow list, the wider one of the shell, and variables that
// neither lets through.
import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  allowedEnvironment,
  commandEnvironment,
  isSecretVariable,
} from '../../../internal/process/child-environment.ts'
import { scratchWith } from '../../support/scratch.ts'

test.each([
  ['GITHUB_TOKEN', 'x'],
  ['AWS_SECRET_ACCESS_KEY', 'x'],
  ['OPENAI_API_KEY', 'x'],
  ['ANTHROPIC_API_KEY', 'x'],
  ['EXA_API_KEY', 'x'],
  ['db_password', 'x'],
  ['PGPASSWORD', 'x'],
  ['MYSQL_PASS', 'x'],
  ['SSH_PASSPHRASE', 'x'],
  ['GOOGLE_APPLICATION_CREDENTIALS', '/x.json'],
  ['npm_config__authToken', 'x'],
  ['DATABASE_URL', 'postgres://me:pw@db/x'],
  ['PROXY', 'http://me:pw@proxy:8080'],
  ['ANYTHING', 'ghp_0123456789abcdef0123'],
  ['ANYTHING', 'sk-proj-0123456789abcdef'],
  ['DEPLOY', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc'],
])('%s=%s is a secret', (name, value) => {
  expect(isSecretVariable(name, value)).toBe(true)
  expect(allowedEnvironment({ [name]: value })).not.toHaveProperty([name])
  expect(commandEnvironment({ [name]: value })).not.toHaveProperty([name])
})

test.each([
  ['PATH', '/usr/bin'],
  ['LC_ALL', 'C.UTF-8'],
  ['GOPATH', '/go'],
  ['XDG_CACHE_HOME', '/c'],
  ['HTTPS_PROXY', 'http://proxy:8080'],
])('%s passes both lists', (name, value) => {
  expect(allowedEnvironment({ [name]: value })[name]).toBe(value)
  expect(commandEnvironment({ [name]: value })[name]).toBe(value)
})

test.each([
  ['NODE_OPTIONS', '--inspect'],
  ['CFLAGS', '-O2'],
  ['RUST_BACKTRACE', '1'],
  ['CMAKE_GENERATOR', 'Ninja'],
  ['GIT_SSH_COMMAND', 'ssh -v'],
  ['SSH_AUTH_SOCK', '/s'],
])('%s passes only to commands', (name, value) => {
  expect(allowedEnvironment({ [name]: value })).not.toHaveProperty([name])
  expect(commandEnvironment({ [name]: value })[name]).toBe(value)
})

/** Names that no list of secret names has: those of password managers, services and of single projects. */
const unlisted = [
  ...['BW_SESSION', 'OP_SESSION_my', 'SSHPASS', 'MY_CREDS', 'MY_PROJECT', 'LD_PRELOAD', 'LD_AUDIT', 'HVS'],
  ...['SLACK_URL', 'JDBC_URL', 'STORAGE_SAS', 'SENDGRID', 'AGE_IDENTITY', 'VAULT_ADDR', 'GIT_ASKPASS'],
  ...['GIT_CONFIG_COUNT', 'GIT_CONFIG_VALUE_0', 'GIT_EXTERNAL_DIFF', 'BUNDLE_GITHUB__COM', 'YARN_NPM_IDENT'],
  ...Array.from({ length: 180 }, (_, i) => {
    const parts = ['ACME', 'PROD', 'DB', 'HOOK', 'SEED', 'PIN', 'SALT', 'VAULT', 'SIGN', 'LICENSE', 'OTP']
    return [parts[i % 11], parts[(i * 7 + 3) % 11], `N${i}`].join('_')
  }),
]

test.each(unlisted)('%s passes only when `shell.env` lists it', (name) => {
  const value = 'plain-value-without-a-form'
  expect(commandEnvironment({ [name]: value })).not.toHaveProperty([name])
  expect(allowedEnvironment({ [name]: value })).not.toHaveProperty([name])
  expect(commandEnvironment({ [name]: value }, [name])[name]).toBe(value)
})

test('no program with a prompt gets a file for its history, unless `shell.env` lists the variable', () => {
  const env = { HISTFILE: '/home/me/.history', LESSHISTFILE: '/home/me/.less' }
  for (const variables of [commandEnvironment(env), allowedEnvironment(env)])
    expect(variables).toMatchObject({ HISTFILE: '/dev/null', LESSHISTFILE: '-', PYTHON_HISTORY: '/dev/null' })
  expect(commandEnvironment(env, ['HISTFILE']).HISTFILE).toBe('/home/me/.history')
})

test.each([['FORCE_COLOR'], ['CLICOLOR_FORCE'], ['BASH_ENV'], ['ENV'], ['ANODE_RUN']])(
  'neither environment contains %s',
  (name) => {
    expect(allowedEnvironment({ [name]: '1' })).not.toHaveProperty([name])
    expect(commandEnvironment({ [name]: '1' })).not.toHaveProperty([name])
  },
)

test('pagers, prompts and colors are turned off', () => {
  const off = { TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', NO_COLOR: '1' }
  const env = { TERM: 'xterm', PAGER: 'less', GIT_PAGER: 'delta', GIT_TERMINAL_PROMPT: '1' }
  expect(allowedEnvironment(env)).toMatchObject(off)
  expect(commandEnvironment(env)).toMatchObject(off)
})

test.each([
  ['git commit', { GIT_EDITOR: 'vim' }],
  ['git commit --amend', { EDITOR: 'vim' }],
  ['git rebase -i HEAD~1', { GIT_SEQUENCE_EDITOR: 'vim' }],
  ['git tag -a v1', { VISUAL: 'vim' }],
  ['git revert HEAD', {}],
  ['git notes add', { GIT_EDITOR: 'vim' }],
  ['git branch --edit-description', {}],
  ['git commit --fixup=reword:HEAD', { VISUAL: 'vim' }],
  ['$VISUAL f', {}],
  ['$GIT_EDITOR f', {}],
])('%s fails at once where the repository names an editor that waits', (line, own) => {
  const cwd = scratchWith({ 'wait.sh': '#!/bin/sh\nsleep 60\n', f: 'one\n' })
  chmodSync(join(cwd, 'wait.sh'), 0o755)
  const env = commandEnvironment({ PATH: process.env.PATH, HOME: cwd, ...own })
  const run = (text: string) =>
    spawnSync('bash', ['-c', text], { cwd, env, timeout: 20_000, encoding: 'utf8' })
  const editors = `git config core.editor '"${cwd}/wait.sh"'; git config sequence.editor '"${cwd}/wait.sh"'`
  const commits = 'git commit -qm one; echo two > f; git commit -qam two; echo three > f; git add f'
  const who = 'git config user.name T; git config user.email t@example.com'
  expect(run(`git init -q; ${who}; git add f; ${commits}; ${editors}`).status).toBe(0)
  const { status, signal } = run(line)
  expect(signal).toBeNull()
  expect(status).toBeGreaterThan(0)
})

test('a listed editor passes', () => {
  expect(commandEnvironment({ EDITOR: 'nano' }, ['EDITOR']).EDITOR).toBe('nano')
})

test('variables that a user listed pass, by name or prefix, even if they look like secrets', () => {
  const env = { GITHUB_TOKEN: 't', CI_A: '1', CI_B: '2', TERM: 'xterm', OTHER: 'x', NPM_TOKEN: 'n' }
  const kept = allowedEnvironment(env, ['GITHUB_TOKEN', 'CI_*', 'TERM'])
  expect(kept).toMatchObject({ GITHUB_TOKEN: 't', CI_A: '1', CI_B: '2', TERM: 'xterm' })
  expect(kept).not.toHaveProperty('OTHER')
  expect(kept).not.toHaveProperty('NPM_TOKEN')
})
