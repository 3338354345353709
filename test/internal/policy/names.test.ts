// Names that need a person's word.
import { expect, test } from 'vitest'
import { fold, guarded, guardedNames, sensitive, sensitiveGlobs } from '../../../internal/policy/names.ts'

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
])('%j may hold secrets: %s', (name, expected) => expect(sensitive(name)).toBe(expected))

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
])('%j is guarded as %s', (name, expected) => expect(guarded(name)).toBe(expected))

test('folding makes equal what some file system takes for equal', () => {
  for (const name of ['.GIT', '.g\u200dit', '.git.', '.git ', '.ｇｉｔ', '.\u200c\u200dGiT..']) {
    expect(fold(name), JSON.stringify(name)).toBe('.git')
  }
  expect(fold('...')).toBe('...')
  expect(fold('README.md')).toBe('readme.md')
})

test('the lists are written folded, or they would never match', () => {
  for (const name of guardedNames) expect(name.split('/').map(fold).join('/')).toBe(name)
  for (const glob of sensitiveGlobs) expect(glob.toLowerCase()).toBe(glob)
})
