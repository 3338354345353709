// Calls as an editor shows them: kinds by what they touch, changes as texts before and after.
import { expect, it } from 'vitest'
import {
  contentOfResult,
  diffContent,
  fenceOutput,
  kindOfCall,
  locationsOfCall,
  titleOfCall,
} from '../../../internal/acp/call-content.ts'

it('derives kinds from effect and scope, without knowing a tool', () => {
  const path = (access: 'read' | 'write') => [{ kind: 'path' as const, path: 'a', access }]
  expect(kindOfCall({ tool: 'x', args: {}, effect: 'write', scope: path('write') })).toBe('edit')
  expect(kindOfCall({ tool: 'x', args: {}, effect: 'read', scope: path('read') })).toBe('read')
  expect(kindOfCall({ tool: 'x', args: { pattern: 'p' }, effect: 'read', scope: path('read') })).toBe(
    'search',
  )
  expect(kindOfCall({ tool: 'x', args: {}, scope: [{ kind: 'command', line: 'ls' }] })).toBe('execute')
  expect(kindOfCall({ tool: 'x', args: {}, scope: [{ kind: 'host', host: 'h' }] })).toBe('fetch')
  expect(kindOfCall({ tool: 'x' })).toBe('other')
})

it('describes a call by its subject, on one short line', () => {
  expect(titleOfCall({ tool: 'bash', args: { command: 'a\n  b', path: 'p' } })).toBe('bash a b')
  expect(titleOfCall({ tool: 'x', args: { query: 'q'.repeat(500) } }).length).toBeLessThan(210)
  expect(titleOfCall({ tool: 'x', args: null })).toBe('x')
  expect(locationsOfCall({ tool: 'read', args: { path: 'b', line: 3 } }, '/w')).toEqual([
    { path: '/w/b', line: 3 },
  ])
  expect(locationsOfCall({ tool: 'read', args: { path: '@server:uri' } }, '/w')).toEqual([])
})

it('makes texts before and after of each hunk', () => {
  const hunks = '@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -9 +9 @@\n-x\n\\ No newline at end of file\n+y\n'
  expect(diffContent({ path: 'f', what: 'changed', hunks, added: 2, removed: 2 }, '/w')).toEqual([
    { type: 'diff', path: '/w/f', oldText: 'a\nb\n', newText: 'a\nc\n' },
    { type: 'diff', path: '/w/f', oldText: 'x\n', newText: 'y\n' },
  ])
  const likeHeader = '@@ -1,2 +1 @@\n a\r@@ -1 +1 @@\n--- b\n'
  expect(diffContent({ path: 'f', what: 'changed', hunks: likeHeader, added: 0, removed: 1 }, '/w')).toEqual([
    { type: 'diff', path: '/w/f', oldText: 'a\r@@ -1 +1 @@\n-- b\n', newText: 'a\r@@ -1 +1 @@\n' },
  ])
  const made = { call: 'c', tool: 't', ok: true, text: '', data: { path: 'n', action: 'created' } }
  expect(contentOfResult(made, { tool: 't', args: { content: 'one\n' } }, '/w')).toEqual([
    { type: 'diff', path: '/w/n', oldText: null, newText: 'one\n' },
  ])
})

it('fences output beyond every fence in it', () => {
  expect(fenceOutput('a\n````\nb\n')).toBe('`````\na\n````\nb\n`````')
  const result = { call: 'c', tool: 't', ok: true, text: 'out', data: null }
  expect(contentOfResult(result, { tool: 't', args: { command: 'ls' } }, '/w')).toMatchObject([
    { content: { text: '```\nout\n```' } },
  ])
})
