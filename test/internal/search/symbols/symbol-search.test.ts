// Where names are defined, with ctags where it is installed and without it.
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { SearchMeans } from '../../../../internal/search/ripgrep/ripgrep.ts'
import { searchSymbols } from '../../../../internal/search/symbols/symbol-search.ts'
import { means, plant } from '../../../support/search.ts'

const dir = plant({
  'src/store.ts':
    'export class Store {\n  open() {\n    return 1\n  }\n}\nexport const store = new Store()\n',
  'src/use.ts': 'import { Store } from "./store"\nfunction openStore() {\n  return new Store()\n}\n',
  'test/store.test.ts': 'class Store {}\n',
  'ignored/store.ts': 'class Store {}\n',
  '.gitignore': 'ignored\n',
  'we\nird.ts': 'class Store {}\n',
})
const tree = { dir, top: dir, hidden: false, guarded: true }
const installed = /Universal Ctags/.test(spawnSync('ctags', ['--version']).stdout?.toString() ?? '')
console.log(`universal-ctags ${installed ? 'is' : 'is not'} installed`)

/** A runner that knows no ctags. */
const bare: SearchMeans = {
  ...means(),
  run: (command) =>
    means().run?.(command.file.includes('ctags') ? { ...command, file: '/none' } : command) as never,
}

test('adds symbols from language servers, if the search may list their files', async () => {
  const ask = async (name: string) => ({
    hits: [
      { path: `${dir}/src/use.ts`, line: 1, name: 'openStore', kind: 'function', container: 'use' },
      { path: `${dir}/src/store.ts`, line: 5, name: 'store', kind: 'constant' },
      { path: `${dir}/ignored/store.ts`, line: 0, name: 'Store', kind: 'class' },
      { path: '/elsewhere/store.ts', line: 0, name: 'Store', kind: 'class' },
      { path: `${dir}/src/store.ts`, line: 2, name: 'Store', kind: 'class' },
    ],
    notes: [`asked for ${name}`],
  })
  const found = await searchSymbols(tree, { name: 'x.Store()', caseSensitive: false, limit: 50, ask }, bare)
  expect([found.engine, found.notes]).toEqual(['lsp+regex', ['asked for Store']])
  const places = found.symbols.map(({ file, line }) => `${file}:${line}`)
  expect([...places].sort()).toEqual([
    'src/store.ts:1',
    'src/store.ts:6',
    'src/use.ts:2',
    'test/store.test.ts:1',
    'we\nird.ts:1',
  ])
  const scope = found.symbols.find(({ file }) => file === 'src/use.ts')?.scope
  expect(scope).toBe('use')
  const silent = await searchSymbols(tree, { name: 'Nowhere', caseSensitive: false, limit: 50, ask }, bare)
  expect([silent.engine, silent.notes]).toEqual(['regex', []])
})

describe.each([
  [installed ? 'ctags' : 'regex', means()],
  ['regex', bare],
] as const)('engine %s', (engine, using) => {
  const find = (name: string, caseSensitive = false, limit = 50) =>
    searchSymbols(tree, { name, caseSensitive, limit }, using)

  test('ranks exact names first, and skips ignored files', async () => {
    const found = await find('Store')
    expect(found.engine).toBe(engine)
    const first = found.symbols[0]
    expect(first).toMatchObject({ name: 'Store', kind: 'class', file: 'src/store.ts', line: 1 })
    expect(first?.text).toBe('export class Store {')
    expect(found.symbols.map((one) => one.file)).not.toContain('ignored/store.ts')
    expect(found.symbols.map((one) => `${one.file}:${one.name}`)).toContain('src/use.ts:openStore')
  })

  test('accepts qualified names, compares letter case on request, and applies the limit', async () => {
    expect((await find('Store.open()')).symbols[0]).toMatchObject({ name: 'open', line: 2 })
    expect((await find('store', true)).symbols.map((one) => one.name)).not.toContain('Store')
    const one = await find('Store', false, 1)
    expect(one.symbols).toHaveLength(1)
    expect(one.total).toBeGreaterThan(2)
  })

  test('a name that is not defined gives no symbols', async () => {
    expect(await find('absent')).toMatchObject({ symbols: [], total: 0 })
  })
})
