// The files of each check, and the required contents of a check.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findChecks, hasChecks } from '../../../internal/review/checks.ts'
import { scratchWith } from '../../support/scratch.ts'

const check = (head: string, body = 'Look.') => `---\n${head}\n---\n${body}\n`
const rootsOf = (workspace: string) => ({ workspace, added: [], protected: [] })

const tree = {
  '.agents/checks/errors.md': check('name: errors\ndescription: outer'),
  '.agents/checks/style.md': check('severity-default: low\npaths: "*.css, docs/**"\ntools: [read, grep]'),
  'api/.agents/checks/errors.md': check('name: errors\ndescription: inner\npaths: [v1/**]'),
  'api/.agents/checks/auth.md': check('name: auth'),
}

test.each([
  ['main.ts', { errors: 'outer' }],
  ['api/v1/a.ts', { errors: 'inner', auth: '' }],
  // the nearest of a name wins, also when its paths leave the file out
  ['api/v2/a.ts', { auth: '' }],
  ['web/deep/site.css', { errors: 'outer', style: '' }],
  ['docs/a/b.md', { errors: 'outer', style: '' }],
  ['docs.md', { errors: 'outer' }],
])('%s', async (file, expected) => {
  const { assigned, broken } = await findChecks(rootsOf(scratchWith(tree)), [file], 'changes')
  expect(broken).toEqual([])
  expect(Object.fromEntries(assigned.map(({ check }) => [check.name, check.description]))).toEqual(expected)
  expect(assigned.every(({ files }) => files.join() === file)).toBe(true)
})

test('assigns all matching files to a check, and filters checks by name', async () => {
  const roots = rootsOf(scratchWith(tree))
  const files = ['a.ts', 'b.css', 'api/v1/x.ts']
  const { assigned } = await findChecks(roots, files, 'changes', ['err*'])
  expect(assigned.map(({ check, files }) => [check.path, files])).toEqual([
    ['.agents/checks/errors.md', ['a.ts', 'b.css']],
    ['api/.agents/checks/errors.md', ['api/v1/x.ts']],
  ])
  expect((await findChecks(roots, files, 'changes', ['none'])).assigned).toEqual([])
})

test('assigns every check if the whole workspace is reviewed', async () => {
  const { assigned } = await findChecks(rootsOf(scratchWith(tree)), ['api/v2/x.ts'], 'all')
  expect(assigned.map(({ check, files }) => [check.path, files.length])).toEqual([
    ['.agents/checks/errors.md', 0],
    ['.agents/checks/style.md', 0],
    ['api/.agents/checks/auth.md', 0],
    ['api/.agents/checks/errors.md', 0],
  ])
})

test('reads name, description and body of a check', async () => {
  const { assigned } = await findChecks(rootsOf(scratchWith(tree)), ['a.css'], 'changes', ['style'])
  expect(assigned[0]?.check).toEqual({
    name: 'style',
    description: '',
    severity: 'low',
    paths: ['*.css', 'docs/**'],
    tools: ['read', 'grep'],
    body: 'Look.',
    path: '.agents/checks/style.md',
    scope: '',
  })
})

test.each([
  ['no head', 'Look.', 'no frontmatter'],
  ['an unknown key', check('name: a\nseverities: high'), 'unknown key severities'],
  ['an unknown severity', check('severity-default: huge'), 'severity-default'],
  [
    'the same twice',
    check('name: a\nseverity: high\nseverity-default: low'),
    'severity and severity-default',
  ],
  ['paths twice', check('name: a\npath: "*.ts"\npaths: "*.js"'), 'path and paths'],
  ['nothing to do', check('name: a', ''), 'no text'],
  ['too large', check('name: a', 'x'.repeat(40_000)), 'bytes'],
])('skips a check with %s, with a note', async (_, text, why) => {
  const dir = scratchWith({ '.agents/checks/bad.md': text, '.agents/checks/good.md': check('name: good') })
  const { assigned, broken } = await findChecks(rootsOf(dir), ['a.ts'], 'changes')
  expect(assigned.map(({ check }) => check.name)).toEqual(['good'])
  expect(broken).toHaveLength(1)
  expect(broken[0]).toContain('.agents/checks/bad.md')
  expect(broken[0]).toContain(why)
})

test.each([
  ['severity: high', 'high', []],
  ['severity-default: high', 'high', []],
  ['severity: HIGH', 'high', []],
  ['path: "*.ts"', 'medium', ['*.ts']],
  ['paths: "*.ts, *.js"', 'medium', ['*.ts', '*.js']],
  ['path: ["*.ts"]', 'medium', ['*.ts']],
])('%s is read', async (line, severity, paths) => {
  const dir = scratchWith({ '.agents/checks/a.md': check(`name: a\n${line}`) })
  const { assigned, broken } = await findChecks(rootsOf(dir), ['a.ts'], 'changes')
  expect(broken).toEqual([])
  expect(assigned[0]?.check).toMatchObject({ severity, paths })
})

test('a link that leads out of the workspace is not read', async () => {
  const far = scratchWith({ 'far.md': check('name: far') })
  const dir = scratchWith({})
  mkdirSync(join(dir, '.agents/checks'), { recursive: true })
  symlinkSync(join(far, 'far.md'), join(dir, '.agents/checks/far.md'))
  const { assigned, broken } = await findChecks(rootsOf(dir), ['a.ts'], 'changes')
  expect([assigned.length, broken.length]).toEqual([0, 1])
})

test('reports whether a file has any checks', () => {
  const roots = rootsOf(scratchWith({ 'api/.agents/checks/a.md': check('name: a') }))
  expect([hasChecks(roots, ['b.ts']), hasChecks(roots, ['api/x/b.ts'])]).toEqual([false, true])
})
