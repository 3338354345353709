// The tree as plain objects is the parser's tree.
import { expect, test } from 'vitest'
import { parseShell } from '../../../../../internal/policy/shell/syntax/grammar.ts'
import type { SyntaxNode } from '../../../../../internal/policy/shell/syntax/syntax-tree.ts'

test('reads nodes, fields, parents and texts', async () => {
  const line = 'A=1 ls "a $b" | wc > ö; x'
  const tree = await parseShell(line)
  if (typeof tree === 'string') throw new Error(tree)
  expect(tree.hasError).toBe(false)
  expect(tree.root.text).toBe(line)
  const [pipeline, , last] = tree.root.children
  expect([pipeline?.type, last?.type]).toEqual(['redirected_statement', 'command'])
  const seen: SyntaxNode[] = []
  const walk = (node: SyntaxNode) => {
    seen.push(node)
    for (const child of node.children) {
      expect(child.parent).toBe(node)
      expect(node.source.slice(child.startIndex, child.endIndex)).toBe(child.text)
      walk(child)
    }
  }
  walk(tree.root)
  expect(new Set(seen.map((node) => node.id)).size).toBe(seen.length)
  const assignment = seen.find((node) => node.type === 'variable_assignment')
  expect(assignment?.childForFieldName('name')?.text).toBe('A')
  expect(assignment?.childrenForFieldName('value').map((node) => node.text)).toEqual(['1'])
  expect(assignment?.namedChildren).toHaveLength(2)
  expect(assignment?.childCount).toBe(3)
})

test('rejects too many nodes, and marks errors', async () => {
  expect(await parseShell('a '.repeat(6_000))).toMatch(/too (?:many words|long)/)
  const broken = await parseShell('a (')
  expect(typeof broken !== 'string' && broken.hasError).toBe(true)
})
