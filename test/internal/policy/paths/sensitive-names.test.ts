// Names that need approval by a user.
import { expect, test } from 'vitest'
import {
  foldName,
  guardedName,
  guardedNames,
  instructionName,
  isOrdinary,
  isSensitive,
  mayMatter,
  sensitiveGlobs,
  sensitivePaths,
} from '../../../../internal/policy/paths/sensitive-names.ts'

test.each([
  ['.env', true],
  ['a/.env.production', true],
  ['.envrc', true],
  ['Server.PEM', true],
  ['.ssh/config', true],
  ['config/credentials.yml', true],
  ['environment.ts', false],
  ['key.ts', false],
  ['monkey', false],
  ['secrets.ts', false],
  ['', false],
  ['/', false],
])('%j may hold secrets: %s', (name, expected) => expect(isSensitive(name)).toBe(expected))

test.each([
  ['.git', '.git'],
  ['a/.git/config', '.git'],
  ['.gitx', undefined],
  ['x.git', undefined],
  ['.github/workflows/x.yml', '.github/workflows'],
  ['.github/other', undefined],
  ['//.Husky//x', '.husky'],
  ['src/anode.json', 'anode.json'],
  ['anode.jsonc', undefined],
])('%j is sensitive as %s', (name, expected) => expect(guardedName(name)).toBe(expected))

test('folding makes names equal that some file system treats as equal', () => {
  for (const name of ['.GIT', '.g\u200dit', '.git.', '.git ', '.ｇｉｔ', '.\u200c\u200dGiT..']) {
    expect(foldName(name), JSON.stringify(name)).toBe('.git')
  }
  expect(foldName('...')).toBe('...')
  expect(foldName('README.md')).toBe('readme.md')
})

test('every name in the lists is in folded form', () => {
  for (const name of guardedNames) expect(name.split('/').map(foldName).join('/')).toBe(name)
  for (const glob of sensitiveGlobs) expect(glob.toLowerCase()).toBe(glob)
})

test('the quick checks detect every name in the lists', () => {
  const filled = sensitiveGlobs.flatMap((glob) =>
    ['', 'x', '-x', '.md', '.ts'].map((text) => glob.replace('*', text)),
  )
  for (const name of [...guardedNames, ...sensitivePaths, ...filled]) {
    for (const spelled of [name, name.toUpperCase(), `${name}.`, `a/${name}`, `${name}/b`]) {
      if (!guardedName(spelled) && !isSensitive(spelled)) continue
      expect(isOrdinary(spelled), spelled).toBe(false)
      if (!spelled.endsWith('/b'))
        expect(mayMatter(spelled.slice(spelled.lastIndexOf('/') + 1)), spelled).toBe(true)
    }
  }
  for (const name of ['a.txt', 'src/main.ts', 'f12', 'big/d1/f2.c']) expect(isOrdinary(name), name).toBe(true)
  for (const name of ['git~1', 'anode~1.jso', '.git:x', 'x\\.git']) expect(mayMatter(name), name).toBe(true)
})

test.each([
  ['git~1', '.git'],
  ['GIT~2/hooks', '.git'],
  ['.git::$INDEX_ALLOCATION', '.git'],
  ['.git:x/y', '.git'],
  ['a\\.git\\hooks', '.git'],
  ['BASHRC~1', '.bashrc'],
  ['anode~1.jso', 'anode.json'],
  ['github~1/workfl~1/x.yml', '.github/workflows'],
  ['.git. . ', '.git'],
  ['.g\u200bi\ufeffT', '.git'],
  ['xgit~1', undefined],
  ['git~', undefined],
  ['.ripgreprc', '.ripgreprc'],
])('%j is sensitive as %s, in the spelling of other file systems', (name, expected) =>
  expect(guardedName(name)).toBe(expected),
)

test.each([
  ...[
    'prod.env',
    '.flaskenv',
    'x.tfvars',
    '.docker/config.json',
    'a/.config/gh/hosts.yml',
    'auth.json',
    'ID_RSA.old',
  ],
  ...[
    'id_ed25519-work',
    'id_ecdsa_sk',
    '.git/config',
    'sub/.GIT/Config',
    '.git-credentials',
    '.pgpass',
    '.my.cnf',
  ],
  ...[
    '.pypirc',
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.terraformrc',
    'credentials.json',
    '.vault-token',
  ],
  ...[
    'service-account-1.json',
    'kubeconfig',
    'kubeconfig.prod',
    'x.jks',
    'release.keystore',
    '.config/gcloud/x.db',
  ],
  ...['.azure/accessTokens.json', '/proc/1/environ', '/proc/self/task/3/environ', '.env.backup', 'x.p12'],
])('%s may hold secrets', (name) => expect(isSensitive(name)).toBe(true))

test.each([
  ...[
    '.env.example',
    '.env.sample',
    '.env.template',
    '.env.dist',
    'example.env',
    'prod.tfvars.example',
    'id_rsa.pub',
  ],
  ...[
    'service-account.example.json',
    'credentials.example.json',
    'config.json',
    'docker/config.json',
    'hosts.yml',
  ],
  ...['git/config', 'environ', 'tokens.ts', 'keys.md', 'a.env.ts', 'proc/1/environ'],
])('%s may be read', (name) => expect(isSensitive(name)).toBe(false))

const prefixes = ['', 'a/', 'deep/down/', './', '//']
const spell = (name: string) => [
  name,
  name.toUpperCase(),
  `${name}.`,
  `${name} `,
  name.replace(/.$/, '\u200d$&'),
]
const everywhere = (names: readonly string[]) =>
  prefixes.flatMap((prefix) => names.flatMap((name) => spell(`${prefix}${name}`)))

const agents = ['.qwen', '.newagent', '.some-editor', '.x'].flatMap((folder) => [
  ...[`${folder}/settings.json`, `${folder}/settings.local.json`, `${folder}/conf/settings.json`],
  ...[`${folder}/mcp.json`, `${folder}/mcp_config.json`],
])
const settings = [
  ...[
    'mcp.json',
    '.mcp.json',
    'mcp-servers.json',
    'opencode.json',
    '.aider.conf.yml',
    '.roo/x',
    '.kilocode/x',
  ],
  ...['.amazonq/x', '.qwen/x', '.factory/mcp.json', '.crush.json', '.kiro/x', '.junie/x', '.trae/x'],
  ...['.mise.toml', '.pdbrc', '.irbrc', ...agents],
]
const speaking = [
  ...['AGENTS.md', 'AGENT.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md', '.cursorrules', '.windsurfrules'],
  ...[
    '.clinerules',
    '.github/copilot-instructions.md',
    '.github/instructions/a.instructions.md',
    '.goosehints',
  ],
]

test('settings of agents and editors are sensitive by list and by pattern', () => {
  const names = everywhere(settings)
  expect(names.length).toBeGreaterThan(200)
  expect(names.filter((name) => !guardedName(name) || isOrdinary(name))).toEqual([])
  for (const name of ['settings.json', 'src/settings.json', 'mcp.ts', 'docs/mcp.md', '../settings.json'])
    expect(guardedName(name), name).toBeUndefined()
})

test('detects instruction files of agents in every spelling', () => {
  const names = everywhere(speaking)
  expect(names.length).toBeGreaterThan(200)
  expect(names.filter((name) => !instructionName(name) || isOrdinary(name))).toEqual([])
  expect(names.filter((name) => !mayMatter(name.slice(name.lastIndexOf('/') + 1)))).toEqual([])
  for (const name of ['README.md', 'src/agents.ts', 'agents/x.ts', 'rules.ts', 'claude.ts', 'docs/agency.md'])
    expect(instructionName(name), name).toBeUndefined()
})
