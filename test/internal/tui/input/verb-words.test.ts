// The arguments with which the screen starts the program.
import { expect, it } from 'vitest'
import { verbWords } from '../../../../internal/tui/input/verb-words.ts'

const view = { thread: 'sess_1', model: { id: 'openai/gpt-5.4', kind: 'language' as const }, pos: 3 }

it.each([
  ['context', '', ['threads', 'show', 'sess_1', '--context']],
  ['export', '', ['threads', 'export', 'sess_1', '--out', 'sess_1.md']],
  ['export', 'a b.jsonl', ['threads', 'export', 'sess_1', '--out', 'a b.jsonl', '--format', 'jsonl']],
  ['study', '--why this?', ['study', '--model', 'openai/gpt-5.4', '--', '--why this?']],
  ['review', '', ['review', '--model', 'openai/gpt-5.4']],
  ['research', 'log --note "two words"', ['research', 'log', '--note', 'two words']],
  ['permissions', '', ['permissions', 'list']],
  ['permissions', 'forget 3', ['permissions', 'forget', '3']],
  ['doctor', '', ['doctor']],
] as const)('/%s %s', (name, argument, words) => {
  expect(verbWords(name, argument, view)).toEqual(words)
})

it('reports a missing thread, and passes no model that only quotes', () => {
  const empty = { ...view, pos: 0, model: { id: 'builtin/extract', kind: 'rules' as const } }
  expect(verbWords('export', '', empty)).toMatch(/no messages yet/)
  expect(verbWords('study', 'why', empty)).toEqual(['study', '--', 'why'])
})
