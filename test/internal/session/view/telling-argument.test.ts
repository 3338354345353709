// The subject of a call in one line.
import { expect, it } from 'vitest'
import { tellingArgument } from '../../../../internal/session/view/telling-argument.ts'

it.each([
  ['grep', { path: 'src', pattern: 'def' }, 'def src'],
  ['grep', { pattern: 'def', path: '.' }, 'def'],
  ['glob', { path: 'src', pattern: '*.ts' }, '*.ts src'],
  ['finder', { path: 'src', query: 'locks' }, 'locks src'],
  ['read', { limit: 1, path: 'a.ts' }, 'a.ts'],
  ['bash', { description: 'x', command: 'a\n  b' }, 'a ⏎ b'],
  ['lsp', { operation: 'hover', path: 'a.ts' }, 'hover a.ts'],
  ['todo_write', { todos: [] }, ''],
  ['other', { odd: 'z' }, 'z'],
])('names the subject of %s %j: %s', (tool, args, subject) => {
  expect(tellingArgument({ tool, args })).toBe(subject)
})

it('has a bounded length, and is empty for odd arguments', () => {
  for (const args of [undefined, null, 3, [], {}]) expect(tellingArgument({ tool: 'read', args })).toBe('')
  expect(tellingArgument({ tool: 'read', args: { path: 'x'.repeat(999) } })).toHaveLength(161)
})
