// Names and values that never reach a child process or a log, generated in all their notations. Common
// values are kept.
import { expect, test } from 'vitest'
import { containsSecret, hideSecrets, isSecretName } from '../../../internal/base/secrets.ts'
import { redactKeys, redactLine } from '../../../internal/model/wire/key-redaction.ts'
import {
  allowedEnvironment,
  commandEnvironment,
  isSecretVariable,
} from '../../../internal/process/child-environment.ts'
import { leastCost } from '../../support/cost.ts'
import { random } from '../../support/search.ts'

const next = random(17)
const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
let made: string[] = []
const noise = (length: number, from = signs) => {
  const text = Array.from({ length }, () => from[Math.floor(next() * from.length)]).join('')
  if (length > 4) made.push(text)
  return text
}
const spelled = (name: string) => [name, name.toLowerCase(), `MY_${name}`, `my_${name.toLowerCase()}`]

const words = [
  ...[
    'TOKEN',
    'SECRET',
    'PASSWORD',
    'PASSWD',
    'PASSPHRASE',
    'CREDENTIALS',
    'API_KEY',
    'AUTH',
    'DB_PASS',
    'DB_PWD',
  ],
  ...[
    'DB_PW',
    'GITHUB_PAT',
    'COOKIE',
    'SESSION_COOKIE',
    'JWT',
    'DSN',
    'SENTRY_DSN',
    'SLACK_WEBHOOK',
    'WEBHOOK_URL',
  ],
  ...[
    'MYSQL_PWD',
    'REDISCLI_AUTH',
    'NPM_CONFIG__AUTH',
    'DOCKER_AUTH_CONFIG',
    'AUTH_HEADER',
    'AUTHORIZATION',
    'OAUTH_STATE',
  ],
]

test.each(words.flatMap(spelled))('%s is never passed to commands', (name) => {
  expect(isSecretName(name)).toBe(true)
  expect(commandEnvironment({ [name]: 'x' })).not.toHaveProperty([name])
  expect(allowedEnvironment({ [name]: 'x', [`npm_config_${name}`]: 'x' })).toEqual(allowedEnvironment({}))
})

const b64 = `${signs}+/`
const values: Record<string, () => string> = {
  'connection string': () => `Server=db;Database=d;User Id=me;Password=${noise(9)};`,
  'another one': () => `host=db user=me password=${noise(9)} dbname=d`,
  'Pwd of one': () => `Uid=me;Pwd=${noise(5)}`,
  'account key': () => `DefaultEndpointsProtocol=https;AccountKey=${noise(40, b64)}==;`,
  'option of Java': () => `-Xmx1g -Djavax.net.ssl.keyStorePassword=${noise(8)}`,
  'dotted option': () => `-Drepo.password=${noise(8)} -B`,
  'query of an address': () => `https://x.example/a?api_key=${noise(12)}`,
  'user and password': () => `postgres://me:${noise(6)}@db:5432/x`,
  'password alone': () => `redis://:${noise(6)}@cache/0`,
  'password with a slash': () => `https://me:a/${noise(6)}@db/x`,
  'password with a port and a slash': () => `https://me:8a/${noise(6)}@db/x`,
  'password with an at sign': () => `https://me:a@${noise(6)}@db/x`,
  'password that begins like a port': () => `postgres://me:2024#${noise(6)}@db/x`,
  'another of these': () => `http://me:4711?${noise(6)}@proxy:8080`,
  'within words': () => `use http://me:${noise(6)}@proxy:8080 for this`,
  bearer: () => `Bearer ${noise(20)}`,
  header: () => `Authorization: Basic ${noise(16)}==`,
  stripe: () => `sk_live_${noise(24)}`,
  openai: () => `sk-proj-${noise(40)}`,
  github: () => `gh${noise(1, 'pousr')}_${noise(36)}`,
  'github fine': () => `github_pat_${noise(22)}_${noise(59)}`,
  gitlab: () => `glpat-${noise(20)}`,
  aws: () => `AKIA${noise(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  slack: () => `xox${noise(1, 'abprs')}-${noise(12)}-${noise(24)}`,
  npm: () => `npm_${noise(36)}`,
  jwt: () => `eyJ${noise(20)}.eyJ${noise(30)}.${noise(43)}`,
  pem: () => `-----BEGIN RSA PRIVATE KEY-----\n${noise(64, b64)}\n-----END RSA PRIVATE KEY-----`,
  'pem of another kind': () => `-----BEGIN OPENSSH PRIVATE KEY-----\n${noise(64, b64)}`,
}

test.each(Object.keys(values))('detects a value with the format of a secret: %s', (kind) => {
  for (let i = 0; i < 20; i++) {
    made = []
    const value = (values[kind] as () => string)()
    for (const written of [value, ` ${value}`, `"${value}"`, `x=${value}`]) {
      expect([written, containsSecret(written)]).toEqual([written, true])
      const both = commandEnvironment({ MAVEN_OPTS: written, PLAIN: written })
      expect([both.MAVEN_OPTS, both.PLAIN]).toEqual([undefined, undefined])
      expect(allowedEnvironment({ MAVEN_OPTS: written })).not.toHaveProperty('MAVEN_OPTS')
      const shown = redactKeys(`it said ${written} again`, [])
      for (const secret of made) expect(shown).not.toContain(secret)
      expect(JSON.parse(redactKeys(JSON.stringify({ a: written, b: 1 }), []))).toMatchObject({ b: 1 })
    }
  }
})

test.each([
  ['PATH', '/usr/bin:/opt/sk-tools-of-everybody/bin:/home/me/hf_models_and_more_1/bin'],
  ['HOME', '/home/me'],
  ['LANG', 'de_DE.UTF-8'],
  ['PWD', '/home/me/work'],
  ['OLDPWD', '/home/me'],
  ['SSH_AUTH_SOCK', '/run/user/1000/ssh'],
  ['KEYBOARD', 'pc105'],
  ['KEYMAP', 'de'],
  ['KEYTIMEOUT', '1'],
  ['AUTHOR', 'me'],
  ['GIT_AUTHOR_NAME', 'me'],
  ['XAUTHORITY', '/home/me/.Xauthority'],
  ['EDITOR', 'vi'],
  ['TMPDIR', '/tmp'],
  ['COMPASS', 'north'],
  ['PATTERN', '*.ts'],
  ['LS_COLORS', 'di=01;34:ln=01;36'],
  ['JAVA_HOME', '/usr/lib/jvm/java'],
  ['MAVEN_OPTS', '-Xmx1g -Dfile.encoding=UTF-8'],
  ['HTTPS_PROXY', 'http://proxy:8080'],
  ['DOCKER_HOST', 'ssh://me@host'],
  ['START_URL', 'http://localhost:5173/@vite/client'],
  ['START_URL', 'http://[::1]:5173/@vite/client'],
  ['DBUS_SESSION_BUS_ADDRESS', 'unix:path=/run/user/1000/bus,guid=0123456789abcdef0123456789abcdef'],
  ['PS1', '\\u@\\h:\\w\\$ '],
  ['GIT_SSH_COMMAND', 'ssh -i ~/.ssh/id_ed25519'],
  ['NODE_OPTIONS', '--max-old-space-size=4096'],
])('%s=%s is not a secret', (name, value) => {
  expect(isSecretVariable(name, value)).toBe(false)
  expect(commandEnvironment({ [name]: value }, [name])[name]).toBe(value)
})

test('checks long texts in linear time', () => {
  for (const unit of [
    'a',
    'a.',
    'password',
    ':/',
    '-----BEGIN ',
    'eyJa.',
    'sk-',
    'x://:',
    'Bearer ',
    'a1+',
    '@',
    '=',
  ]) {
    const cost = leastCost(3_000, () => hideSecrets(unit.repeat(200_000), '…'))
    expect([unit, cost < 3_000]).toEqual([unit, true])
  }
  expect(redactLine('Password=abcdef; fine', [])).toBe('Password=[key removed]; fine')
})
