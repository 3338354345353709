// What children inherit: the allow list, the shell's wider one, and what neither lets through.
import { expect, test } from 'vitest'
import {
  allowedEnvironment,
  isSecretVariable,
  withoutSecrets,
} from '../../../internal/process/child-environment.ts'

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
  expect(withoutSecrets({ [name]: value })).not.toHaveProperty([name])
})

test.each([
  ['PATH', '/usr/bin'],
  ['LC_ALL', 'de_DE.UTF-8'],
  ['GOPATH', '/go'],
  ['XDG_CACHE_HOME', '/c'],
  ['HTTPS_PROXY', 'http://proxy:8080'],
])('%s passes both lists', (name, value) => {
  expect(allowedEnvironment({ [name]: value })[name]).toBe(value)
  expect(withoutSecrets({ [name]: value })[name]).toBe(value)
})

test.each([
  ['MY_PROJECT', 'x'],
  ['NODE_OPTIONS', '--inspect'],
  ['LD_PRELOAD', '/x.so'],
  ['SSH_AUTH_SOCK', '/s'],
])('%s passes only to the shell', (name, value) => {
  expect(allowedEnvironment({ [name]: value })).not.toHaveProperty([name])
  expect(withoutSecrets({ [name]: value })[name]).toBe(value)
})

test.each([['FORCE_COLOR'], ['CLICOLOR_FORCE'], ['BASH_ENV'], ['ENV'], ['ANODE_RUN']])(
  '%s passes neither',
  (name) => {
    expect(allowedEnvironment({ [name]: '1' })).not.toHaveProperty([name])
    expect(withoutSecrets({ [name]: '1' })).not.toHaveProperty([name])
  },
)

test('pagers, prompts and colours are off', () => {
  const off = { TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', NO_COLOR: '1' }
  const env = { TERM: 'xterm', PAGER: 'less', GIT_PAGER: 'delta', GIT_TERMINAL_PROMPT: '1' }
  expect(allowedEnvironment(env)).toMatchObject(off)
  expect(withoutSecrets(env)).toMatchObject(off)
})

test('what a person listed passes, by name or prefix, even when it looks like a secret', () => {
  const env = { GITHUB_TOKEN: 't', CI_A: '1', CI_B: '2', TERM: 'xterm', OTHER: 'x', NPM_TOKEN: 'n' }
  const kept = allowedEnvironment(env, ['GITHUB_TOKEN', 'CI_*', 'TERM'])
  expect(kept).toMatchObject({ GITHUB_TOKEN: 't', CI_A: '1', CI_B: '2', TERM: 'xterm' })
  expect(kept).not.toHaveProperty('OTHER')
  expect(kept).not.toHaveProperty('NPM_TOKEN')
})
