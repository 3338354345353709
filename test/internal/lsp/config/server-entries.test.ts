// The configured servers: files merged by name, programs found, and nothing of a workspace before
// it is trusted.
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { knownServers } from '../../../../internal/lsp/config/known-servers.ts'
import { loadServers } from '../../../../internal/lsp/config/lsp-config.ts'
import {
  anyServer,
  findServerProgram,
  type LspSearchScope,
  serverCommands,
  serverFiles,
} from '../../../../internal/lsp/config/program-search.ts'
import { chooseServers, overlaySettings } from '../../../../internal/lsp/config/server-entries.ts'
import { languageOf } from '../../../../internal/lsp/config/server-entry.ts'
import { plant, scratch, scratchWith } from '../../../support/scratch.ts'

/** Returns a directory with programs of these names. */
function programs(...names: string[]): string {
  const dir = scratchWith(Object.fromEntries(names.map((name) => [name, '#!/bin/sh\n'])))
  for (const name of names) chmodSync(join(dir, name), 0o755)
  return dir
}

function place(workspace: string, trusted: boolean, ...path: string[]): LspSearchScope {
  return { workspace, trusted, env: { PATH: path.join(':'), XDG_CONFIG_HOME: join(workspace, 'none') } }
}

async function choose(at: LspSearchScope, paths: string[] = []) {
  const { sources, diagnostics } = await loadServers(paths)
  return { ...chooseServers(sources, at), diagnostics }
}

it('merges settings by name and key, and later files take precedence', async () => {
  const bin = programs('gopls', 'mine')
  const dir = scratchWith({
    'user.json': `{
      // comments are fine
      "gopls": { "env": { "A": "1" }, "settings": { "gopls": { "x": 1 } } },
      "mine": { "command": "mine", "args": ["--old"], "extensions": { ".MINE": "mine" } },
    }`,
    'work.json': '{ "mine": { "args": ["--new"] }, "gopls": { "env": { "B": "2" } } }',
  })
  const { entries, diagnostics } = await choose(place(dir, true, bin), [
    join(dir, 'user.json'),
    join(dir, 'work.json'),
    join(dir, 'none.json'),
  ])
  expect(diagnostics).toEqual([])
  expect(entries).toEqual([
    {
      ...{ name: 'gopls', program: join(bin, 'gopls'), args: [], origin: join(dir, 'work.json') },
      extensions: { '.go': 'go', 'go.mod': 'go.mod', 'go.work': 'go.work' },
      settings: { gopls: { x: 1 } },
      env: { GOTOOLCHAIN: 'local', B: '2' },
      sandboxed: true,
    },
    {
      ...{ name: 'mine', program: join(bin, 'mine'), args: ['--new'], origin: join(dir, 'work.json') },
      extensions: { '.mine': 'mine' },
      env: {},
      sandboxed: true,
    },
  ])
})

it('reports errors of a file and keeps the rest', async () => {
  const bin = programs('gopls', 'fine')
  const dir = scratchWith({
    'a.json': JSON.stringify({
      odd: { comand: 'x' },
      bare: { extensions: { '.b': 'b' } },
      unknown: { command: 'fine' },
      gone: { command: 'gone', extensions: { '.g': 'g' } },
      'a b': { command: 'x' },
      types: { command: 1, args: 'x', extensions: { '.x': 2 }, env: [], disabled: 'no' },
      gopls: { disabled: true },
      fine: { command: 'fine', extensions: { '.f': 'f' } },
    }),
    'b.json': '{ "x": ',
    'c.json': '[]',
  })
  const paths = ['a.json', 'b.json', 'c.json'].map((name) => join(dir, name))
  const { entries, idle, diagnostics } = await choose(place(dir, true, bin), paths)
  expect(entries.map(({ name }) => name)).toEqual(['fine'])
  expect(diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^odd: unknown key comand, did you mean command/),
    'a b: a name has letters, digits, dots and dashes',
    expect.stringMatching(
      /^types: command must be.*args must be.*extensions must be.*env must be.*disabled must be/,
    ),
    expect.stringMatching(/^not valid JSON in line 1/),
    'must be an object of servers',
  ])
  const asked = idle.filter(({ where }) => where !== undefined)
  expect(asked.map(({ name, why }) => `${name}: ${why}`)).toEqual([
    'bare: command is missing',
    'unknown: extensions are missing, for example {".ts": "typescript"}',
    'gone: gone is not on the PATH',
  ])
  expect(idle.find(({ name }) => name === 'gopls')?.why).toBe('turned off by its configuration')
})

it('starts nothing of a workspace before trust', async () => {
  const workspace = scratch()
  const bin = join(workspace, 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  plant(bin, { 'pyright-langserver': '#!/bin/sh\n' })
  chmodSync(join(bin, 'pyright-langserver'), 0o755)
  // on the PATH by name, and in the workspace through a link
  const outside = scratch()
  symlinkSync(join(bin, 'pyright-langserver'), join(outside, 'gopls'))
  const path = [bin, outside, 'relative', '']
  const before = await choose(place(workspace, false, ...path))
  expect(before.entries).toEqual([])
  expect(before.idle.find(({ name }) => name === 'pyright')?.why).toContain('see `anode trust`')
  expect(anyServer(place(workspace, false, ...path))).toMatch(/no language server/)

  const after = await choose(place(workspace, true, ...path))
  expect(after.entries.map(({ name, origin }) => [name, origin])).toEqual([
    ['pyright', 'workspace'],
    ['gopls', 'workspace'],
  ])
  expect(anyServer(place(workspace, true))).toBe(true)
  expect(findServerProgram('./node_modules/.bin/pyright-langserver', place(workspace, false))).toBe(undefined)
})

it('reads configuration of a workspace only when it is trusted', () => {
  const workspace = scratchWith({ '.lsp.json': '{}' })
  expect(serverFiles(place(workspace, false)).some((path) => path.startsWith(`${workspace}/.`))).toBe(false)
  expect(serverFiles(place(workspace, true)).slice(1)).toEqual([
    join(workspace, '.lsp.json'),
    join(workspace, '.anode', 'lsp.json'),
  ])
  expect(anyServer(place(workspace, true))).toBe(true)
  expect(anyServer(place(workspace, false))).not.toBe(true)
})

it('keeps servers from running files of an untrusted workspace', async () => {
  const workspace = scratch()
  const bin = programs('rust-analyzer', 'typescript-language-server')
  const before = await choose(place(workspace, false, bin))
  expect(before.entries).toEqual([])
  const why = (name: string) => before.idle.find((one) => one.name === name)?.why
  expect(why('rust-analyzer')).toContain('build scripts')
  expect(why('typescript')).toContain('the TypeScript of the workspace')
  expect(anyServer(place(workspace, false, programs('rust-analyzer')))).not.toBe(true)
  // with a TypeScript in the directory of the server
  plant(bin, { 'node_modules/typescript/lib/tsserver.js': '' })
  const beside = await choose(place(workspace, false, bin))
  expect(beside.entries[0]).toMatchObject({
    name: 'typescript',
    initializationOptions: {
      tsserver: { useSyntaxServer: 'never', path: join(bin, 'node_modules/typescript/lib/tsserver.js') },
    },
  })
  const after = await choose(place(workspace, true, bin))
  expect(after.entries.map(({ name }) => name)).toEqual(['typescript', 'rust-analyzer'])
  expect(after.entries[0]?.initializationOptions).not.toHaveProperty('tsserver.path')
})

it('distinguishes servers that are not installed, turned off, or not trusted', async () => {
  const workspace = scratchWith({ 'node_modules/.bin/pyright-langserver': '' })
  const bin = programs('rust-analyzer')
  const { idle } = await choose(place(workspace, false, bin))
  const absent = (name: string) => idle.find((one) => one.name === name)?.absent === true
  expect(absent('gopls')).toBe(true)
  expect(absent('rust-analyzer')).toBe(false)
})

it('overlays objects key by key', () => {
  expect(overlaySettings({ a: { b: 1, c: 2 } }, { a: { c: 3 }, d: [1] })).toEqual({
    a: { b: 1, c: 3 },
    d: [1],
  })
  expect(overlaySettings({ a: 1 }, undefined)).toEqual({ a: 1 })
  expect(overlaySettings([1], { a: 1 })).toEqual({ a: 1 })
  expect(overlaySettings({}, JSON.parse('{"__proto__": {"bad": 1}}'))).not.toHaveProperty('bad')
})

it('finds the language by the longest extension or the whole name', () => {
  const entry = { extensions: { '.ts': 'typescript', '.d.ts': 'declarations', 'go.mod': 'go.mod' } }
  const of = (path: string) => languageOf(entry, path)
  expect(['/a/b.ts', '/a/b.D.TS', '/a/go.mod', '/a/x.mod', '/a.ts/b', '/ts'].map(of)).toEqual([
    ...['typescript', 'declarations', 'go.mod'],
    ...[undefined, undefined, undefined],
  ])
})

it('describes every known command', () => {
  expect(knownServers.map(({ name }) => name).sort()).toEqual(Object.keys(serverCommands).sort())
})
