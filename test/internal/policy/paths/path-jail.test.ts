// Where paths lead, with real links, and how they are judged.
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  isWithin,
  judgeOperand,
  judgePath,
  resolvePath,
} from '../../../../internal/policy/paths/path-jail.ts'
import type { PathRoots } from '../../../../internal/policy/policy.ts'
import { folder, remove, rootsOf } from '../policies.ts'

let base = ''
let ws = ''
let roots: PathRoots
beforeAll(() => {
  base = folder(
    'ws/src/deep',
    'ws/.git/hooks',
    'ws/wall',
    'ws/conf',
    'ws-twin',
    'out/.git',
    'added',
    'own/data',
  )
  ws = join(base, 'ws')
  writeFileSync(join(ws, 'a.txt'), 'a')
  writeFileSync(join(base, 'out/secret.txt'), 's')
  linkSync(join(ws, 'a.txt'), join(ws, 'hard.txt'))
  const links: [string, string][] = [
    ['in', 'src'],
    ['out', '../out'],
    ['out-file', '../out/secret.txt'],
    ['absolute', join(base, 'out')],
    ['nowhere', '../out/not-yet'],
    ['nowhere-in', 'src/not-yet'],
    ['loop-a', 'loop-b'],
    ['loop-b', 'loop-a'],
    ['self', '.'],
    ['up', '..'],
    ['git', '.git'],
    ['hook', '.git/hooks'],
    ['to-wall', 'wall'],
    ['chain', 'in/back'],
    ['root', '/'],
    ['notes', '.env'],
    ['.husky', 'conf'],
    ['to-own', '../own'],
  ]
  for (const [name, target] of links) symlinkSync(target, join(ws, name))
  symlinkSync('../..', join(ws, 'src/back'))
  roots = rootsOf(ws, {
    added: [join(base, 'added')],
    protected: [join(ws, 'wall')],
    own: [join(base, 'own'), join(ws, 'conf/anode')],
  })
})
afterAll(() => remove(base))

describe('resolvePlace', () => {
  const cases: [given: string, real: string, exists: boolean][] = [
    ['a.txt', 'ws/a.txt', true],
    ['./a.txt', 'ws/a.txt', true],
    ['src/../a.txt', 'ws/a.txt', true],
    ['', 'ws', true],
    ['.', 'ws', true],
    ['src/', 'ws/src', true],
    ['..', '', true],
    ['../ws/a.txt', 'ws/a.txt', true],
    ['../ws-twin/x', 'ws-twin/x', false],
    ['new.txt', 'ws/new.txt', false],
    ['a/b/c.txt', 'ws/a/b/c.txt', false],
    ['in/x', 'ws/src/x', false],
    ['out/secret.txt', 'out/secret.txt', true],
    ['out/new', 'out/new', false],
    ['out-file', 'out/secret.txt', true],
    ['absolute/new', 'out/new', false],
    ['nowhere', 'out/not-yet', false],
    ['nowhere/deeper', 'out/not-yet/deeper', false],
    ['nowhere-in', 'ws/src/not-yet', false],
    ['self/self/self/a.txt', 'ws/a.txt', true],
    ['up/out/secret.txt', 'out/secret.txt', true],
    // the shell and the kernel follow the link before they go up
    ['out/../secret', 'secret', false],
    ['in/back/out', 'out', true],
    ['in/../a.txt', 'ws/a.txt', true],
    ['missing/../out/secret.txt', 'out/secret.txt', true],
    ['missing/../nowhere', 'out/not-yet', false],
    ['a.txt/b', 'ws/a.txt/b', false],
    ['hard.txt', 'ws/hard.txt', true],
    ['src//deep///x', 'ws/src/deep/x', false],
    ['line\nbreak', 'ws/line\nbreak', false],
    ['ünï\u202ecode', 'ws/ünï\u202ecode', false],
    ['-rf', 'ws/-rf', false],
    ['quote\'"$(x)', 'ws/quote\'"$(x)', false],
    ['%2e%2e/x', 'ws/%2e%2e/x', false],
    ['...', 'ws/...', false],
  ]
  test.each(cases)('resolves %j', (rawPath, real, exists) => {
    const place = resolvePath(ws, roots, rawPath)
    expect(place).toMatchObject({ given: rawPath, real: real === '' ? base : join(base, real), exists })
    expect(place.root === undefined).toBe(
      !isWithin(place.real, ws) && !isWithin(place.real, join(base, 'added')),
    )
    expect(place.shown).toBe(isWithin(place.real, ws) ? place.real.slice(ws.length + 1) || '.' : place.real)
  })

  test('resolves absolute paths and paths in the home directory', () => {
    expect(resolvePath(ws, roots, join(ws, 'a.txt')).shown).toBe('a.txt')
    expect(resolvePath(ws, roots, '/').real).toBe('/')
    expect(resolvePath(ws, roots, 'root').real).toBe('/')
    expect(resolvePath(ws, roots, '~').real).toBe(resolvePath('/', roots, homedir()).real)
    expect(resolvePath(ws, roots, '~/zz/y').real).toBe(`${resolvePath('/', roots, homedir()).real}/zz/y`)
    expect(resolvePath(ws, roots, '~x/y').real).toBe(join(ws, '~x/y'))
    expect(resolvePath(join(ws, 'src'), roots, '../a.txt').shown).toBe('a.txt')
  })

  test.each([
    ['a NUL byte', 'a\0b'],
    ['a circle of links', 'loop-a'],
    ['a circle of links', 'loop-a/x'],
    ['longer than', 'x/'.repeat(3_000)],
  ])('rejects %s', (text, rawPath) => {
    expect(() => resolvePath(ws, roots, rawPath)).toThrow(text)
  })
})

describe('judgePath', () => {
  const cases: [given: string, access: 'read' | 'write', action: string, code?: string][] = [
    ['a.txt', 'read', 'allow'],
    ['a.txt', 'write', 'allow'],
    ['new/file', 'write', 'allow'],
    ['.', 'read', 'allow'],
    ['../added/x', 'write', 'allow'],
    ['..', 'read', 'deny', 'outside_workspace'],
    ['../ws-twin/x', 'read', 'deny', 'outside_workspace'],
    ['out/secret.txt', 'read', 'deny', 'outside_workspace'],
    ['nowhere', 'write', 'deny', 'outside_workspace'],
    ['out/../secret', 'write', 'deny', 'outside_workspace'],
    ['root/etc/passwd', 'read', 'deny', 'outside_workspace'],
    ['~/x', 'read', 'deny', 'outside_workspace'],
    ['wall/x', 'read', 'allow'],
    ['wall/x', 'write', 'deny', 'protected_path'],
    ['to-wall/x', 'write', 'deny', 'protected_path'],
    ['wall', 'write', 'deny', 'protected_path'],
    ['.', 'write', 'deny', 'protected_path'],
    ['.git/config', 'read', 'ask', 'sensitive_path'],
    ['.git/HEAD', 'read', 'allow'],
    ['.git/config', 'write', 'ask', 'protected_path'],
    ['.GIT/config', 'write', 'ask', 'protected_path'],
    ['.g\u200cit/config', 'write', 'ask', 'protected_path'],
    ['.git./config', 'write', 'ask', 'protected_path'],
    ['git/config', 'write', 'ask', 'protected_path'],
    ['hook/pre-commit', 'write', 'ask', 'protected_path'],
    ['src/.git', 'write', 'ask', 'protected_path'],
    ['.husky/pre-commit', 'write', 'ask', 'protected_path'],
    ['.githooks/x', 'write', 'ask', 'protected_path'],
    ['.anode/profiles/x.md', 'write', 'ask', 'protected_path'],
    ['.Anode/x', 'write', 'ask', 'protected_path'],
    ['anode.json', 'write', 'ask', 'protected_path'],
    ['ANODE.JSON', 'write', 'ask', 'protected_path'],
    ['.agents/checks/x.md', 'write', 'ask', 'protected_path'],
    ['.mcp.json', 'write', 'ask', 'protected_path'],
    ['.github/workflows/ci.yml', 'write', 'ask', 'protected_path'],
    ['.github/ISSUE.md', 'write', 'allow'],
    ['src/.github/workflows', 'write', 'ask', 'protected_path'],
    ['.bashrc', 'write', 'ask', 'protected_path'],
    ['.config/fish/config.fish', 'write', 'ask', 'protected_path'],
    ['Jenkinsfile', 'write', 'ask', 'protected_path'],
    ['.vscode/tasks.json', 'write', 'ask', 'protected_path'],
    ['gitignore', 'write', 'allow'],
    ['.gitignore', 'write', 'allow'],
    ['.env', 'read', 'ask', 'sensitive_path'],
    ['.env.local', 'read', 'ask', 'sensitive_path'],
    ['.ENV', 'read', 'ask', 'sensitive_path'],
    ['notes', 'read', 'ask', 'sensitive_path'],
    ['.env', 'write', 'ask', 'sensitive_path'],
    ['src/.aws/config', 'read', 'ask', 'sensitive_path'],
    ['deploy/server.pem', 'read', 'ask', 'sensitive_path'],
    ['id_rsa', 'read', 'ask', 'sensitive_path'],
    ['id_rsa.pub', 'read', 'allow'],
    ['.npmrc', 'read', 'ask', 'sensitive_path'],
    ['credentials', 'read', 'ask', 'sensitive_path'],
    ['src/environment.ts', 'read', 'allow'],
    ['to-own/data/x', 'read', 'deny', 'outside_workspace'],
    ['conf/anode/config.json', 'read', 'ask', 'protected_path'],
    ['conf/anode/config.json', 'write', 'ask', 'protected_path'],
  ]
  test.each(cases)('decides on %j for %s: %s', (rawPath, access, action, code) => {
    const judged = judgePath(resolvePath(ws, roots, rawPath), access, roots)
    expect(judged, judged.text).toMatchObject({ action, code })
  })

  test('checks names only below the root, and accepts a root inside of a directory of Anode', () => {
    const inner = folder('.git/.anode/.env/ws')
    const workspace = join(inner, '.git/.anode/.env/ws')
    const strange = rootsOf(workspace, { own: [inner] })
    const judged = judgePath(resolvePath(workspace, strange, 'a.txt'), 'write', strange)
    expect(judged.action, judged.text).toBe('allow')
    remove(inner)
  })

  test('the root of the file system can be a workspace', () => {
    const all = rootsOf('/')
    expect(judgePath(resolvePath('/', all, join(ws, 'a.txt')), 'write', all).action).toBe('allow')
    expect(resolvePath('/', all, join(ws, 'a.txt')).shown).toBe(join(ws, 'a.txt').slice(1))
  })

  test('without `own` the directories of the environment are guarded', () => {
    const before = process.env.ANODE_DATA_DIR
    process.env.ANODE_DATA_DIR = join(ws, 'data')
    mkdirSync(join(ws, 'data'), { recursive: true })
    const { own: _, ...bare } = roots
    expect(judgePath(resolvePath(ws, bare, 'data/anode.db'), 'read', bare).code).toBe('protected_path')
    if (before === undefined) delete process.env.ANODE_DATA_DIR
    else process.env.ANODE_DATA_DIR = before
    expect(judgePath(resolvePath(ws, bare, 'data/anode.db'), 'read', bare).code).toBeUndefined()
  })
})

test('isWithin compares whole path components', () => {
  expect(isWithin('/a/b', '/a')).toBe(true)
  expect(isWithin('/a', '/a')).toBe(true)
  expect(isWithin('/ab', '/a')).toBe(false)
  expect(isWithin('/a', '/a/b')).toBe(false)
  expect(isWithin('/x', '/')).toBe(true)
})

test('protected paths need approval in commands, and paths outside are checked by name', () => {
  const judge = (rawPath: string, access: 'read' | 'build' | 'write') =>
    judgeOperand(resolvePath(ws, roots, rawPath), access, roots)?.code
  expect(judge('wall/x', 'write')).toBe('protected_path')
  expect(judge('wall/x', 'build')).toBe('protected_path')
  expect(judge('wall/x', 'read')).toBeUndefined()
  expect(judge('.', 'write')).toBe('protected_path')
  expect(judge('..', 'write')).toBe('protected_path')
  expect(judge('.git/HEAD', 'write')).toBe('protected_path')
  expect(judge('.git/HEAD', 'build')).toBeUndefined()
  expect(judge('../out/.git/x', 'write')).toBe('protected_path')
  expect(judge('~/.ssh/x', 'read')).toBe('sensitive_path')
  expect(judge('/etc/hosts', 'write')).toBeUndefined()
  expect(judge('a.txt', 'write')).toBeUndefined()
})
