// Where the grammar is found, and what happens without it.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { locateGrammarFile, parseShell } from '../../../../../internal/policy/shell/syntax/grammar.ts'
import { folder, remove } from '../../policies.ts'

test('finds a file next to the bundle, then one directory up, then among the installed packages', () => {
  const dir = folder('dist/chunks')
  const from = (path: string) => pathToFileURL(join(dir, path)).href
  const chunk = from('dist/chunks/x.js')
  expect(() => locateGrammarFile('tree-sitter-bash.wasm', 'no-such-package/x.wasm', chunk)).toThrow(
    'no-such-package',
  )
  writeFileSync(join(dir, 'dist/tree-sitter-bash.wasm'), '')
  expect(locateGrammarFile('tree-sitter-bash.wasm', 'x/y', chunk)).toBe(
    join(dir, 'dist/tree-sitter-bash.wasm'),
  )
  expect(locateGrammarFile('tree-sitter-bash.wasm', 'x/y', from('dist/x.js'))).toBe(
    join(dir, 'dist/tree-sitter-bash.wasm'),
  )
  mkdirSync(join(dir, 'node_modules/x'), { recursive: true })
  copyFileSync(join(dir, 'dist/tree-sitter-bash.wasm'), join(dir, 'node_modules/x/other.wasm'))
  expect(locateGrammarFile('other.wasm', 'x/other.wasm', chunk)).toBe(join(dir, 'node_modules/x/other.wasm'))
  remove(dir)
})

test('the installed grammar reads a line', async () => {
  const tree = await parseShell('ls | wc')
  if (typeof tree === 'string') throw new Error(tree)
  expect(tree.root.namedChildren.map((child) => child.type)).toEqual(['pipeline'])
})
