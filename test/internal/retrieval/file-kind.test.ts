// What files are taken for by their names, and what they weigh.
import { expect, test } from 'vitest'
import { kindOfFile, weighFile } from '../../../internal/retrieval/file-kind.ts'

test.each([
  ['README', 'prose'],
  ['docs/a.md', 'prose'],
  ['man/x.1', 'prose'],
  ['redis.conf', 'config'],
  ['.env.example', 'config'],
  ['Dockerfile', 'config'],
  ['a.yaml', 'config'],
  ['src/a.rs', 'code'],
  ['unknown.xyz', 'code'],
  ['a.csv', 'data'],
  ['a.log', 'data'],
  ['test/golden/a.json', 'data'],
  ['pkg/testdata/a.yaml', 'data'],
  ['docs/latest/a.yaml', 'config'],
  ...['in', 'tmpl', 'j2', 'dist', 'sample'].flatMap((end): [string, string][] => [
    [`etc/app.conf.${end}`, 'config'],
    [`docs/app.8.${end}`, 'prose'],
    [`docs/guide.rst.${end}`, 'prose'],
    [`src/version.c.${end}`, 'code'],
  ]),
])('%s is %s', (path, kind) => {
  expect(kindOfFile(path)).toBe(kind)
})

test.each([
  'test/a.ts',
  'src/a.test.ts',
  'unittests/a.cc',
  'src/a_test_windows.go',
  'README.zh-CN.md',
  'pkg/a_test.go',
  'vendor/x/a.c',
  'deps/lua/a.c',
  'CHANGELOG.md',
  'docs/migration-guide.md',
  'dist/a.js',
])('%s weighs less', (path) => {
  expect(weighFile(path, ['limit'])).toBeLessThan(0.65)
  expect(weighFile(path, ['limit'])).toBeGreaterThan(0.35)
})

test('expected results of tests weigh less, unless the question is about them', () => {
  expect(weighFile('test/golden/a.json', ['limit'])).toBeCloseTo(0.35)
  expect(weighFile('apptest/cases/a.caddyfiletest', ['limit'])).toBeCloseTo(0.35)
  expect(weighFile('test/golden/a.json', ['golden', 'test'])).toBe(1)
  expect(weighFile('latest/a.json', ['limit'])).toBe(1)
})

test('tests and CI files weigh less, unless the question is about them', () => {
  expect(weighFile('test/a.ts', ['test'])).toBe(1)
  expect(weighFile('manual/corpus/spool.md', [])).toBe(0.4)
  expect(weighFile('.github/workflows/ci.yaml', [])).toBe(0.5)
  expect(weighFile('.github/workflows/ci.yaml', ['workflow'])).toBe(1)
  expect(weighFile('CHANGELOG.md', ['releas'])).toBe(1)
})

test('copied programs, licenses, checklists and upgrade guides weigh less', () => {
  for (const path of ['src/sqlite3.c', 'ext/stb_image.h', 'LICENSE', 'COPYING.md'])
    expect(weighFile(path, ['limit'])).toBe(0.35)
  for (const path of ['docs/release-checklist.md', 'UPGRADING.md', 'docs/upgrade-2.0.rst'])
    expect(weighFile(path, ['limit'])).toBeCloseTo(0.4)
  expect(weighFile('LICENSE', ['licens'])).toBe(1)
  expect(weighFile('src/sqlite3.c', ['sqlite'])).toBe(1)
})

test('lock files weigh least, and other files have their full weight', () => {
  expect(weighFile('package-lock.json', [])).toBe(0.25)
  expect(weighFile('docs/latest.md', [])).toBe(1)
  expect(weighFile('src/contest.ts', [])).toBe(1)
})

test.each(['CHANGELOG.md', 'docs/releases/1.2.md', 'NEWS'])(
  '%s says what changed, not what is needed',
  (path) => {
    expect(weighFile(path, ['version', 'requir'])).toBeLessThan(0.6)
    for (const stem of ['sinc', 'latest', 'introduc', 'remov'])
      expect(weighFile(path, ['version', stem])).toBe(1)
  },
)
