// The shown facts of a call, by tool and by its data.
import { expect, test } from 'vitest'
import { subjectOf } from '../../../../internal/session/view/telling-argument.ts'
import type { ToolOutcome } from '../../../../internal/tui/run-view/tool-outcome.ts'
import { viewOutcome } from '../../../../internal/tui/run-view/tool-view.ts'
import { outcomeOf } from '../../../support/tui.ts'

test.each<[string, Record<string, unknown>, string]>([
  ['read', { path: 'a.ts', start_line: 3 }, 'a.ts'],
  ['grep', { pattern: 'x', path: 'src' }, 'x  src'],
  ['grep', { path: '.', pattern: 'x' }, 'x'],
  ['bash', { cwd: 'sub', command: 'ls' }, 'ls'],
  ['todo_write', { todos: [] }, ''],
  ['apply_patch', { patch: '*** Begin Patch' }, ''],
  ['mcp_tool', { depth: 3, name: '', query: 'hello' }, 'hello'],
  ['mcp_tool', {}, ''],
  ['finder', { mode: 'text', query: 'who flushes', path: '.' }, 'who flushes'],
  ['cron', { action: 'add', name: 'nightly', prompt: 'look' }, 'add  nightly'],
])('%s %j shows %j', (tool, args, subject) => {
  expect(subjectOf({ tool, args })).toBe(subject)
})

test.each<[string, Partial<ToolOutcome>, string[]]>([
  ['lines read', { tool: 'read', data: { start_line: 3, end_line: 3 } }, ['1 line']],
  ['matches', { tool: 'grep', data: { matches: [1, 2], files: 1 } }, ['2 matches in 1 file']],
  ['files found', { tool: 'glob', data: { total: 0 } }, ['0 files']],
  ['an exit code', { tool: 'bash', ok: false, data: { exit: 2 } }, ['exit 2']],
  ['no exit code where all is well', { tool: 'bash', data: { exit: 0 } }, []],
  ['a signal', { tool: 'bash', ok: false, data: { exit: null, signal: 'SIGKILL' } }, ['ended by SIGKILL']],
  ['a time limit', { tool: 'bash', ok: false, data: { exit: 1, timed_out: true } }, ['timed out']],
  ['a trial', { data: { dry_run: true, path: 'a', diff: '' } }, ['dry run']],
  ['todos', { data: { todos: [{ content: 'a', status: 'completed' }, null] } }, ['1 of 2 done']],
  ['nothing in foreign data', { tool: 'read', data: { start_line: 'x', end_line: {} } }, []],
])('%s', (_, over, facts) => {
  expect(viewOutcome(outcomeOf(over)).facts).toEqual(facts)
})

test('a patch shows its files', () => {
  const diffs = ['a', 'b'].map((path) => ({ path, what: 'changed', hunks: '', added: 2, removed: 1 }))
  const view = viewOutcome(outcomeOf({ tool: 'apply_patch', data: { diffs } }))
  expect(view).toMatchObject({ subject: 'a, b', facts: ['+4 -2'], detail: { kind: 'diff' } })
})

test('shows output without the notes of Anode below it', () => {
  const text = 'one\r\n[two]\n\n[exit 1; 2 background processes were ended with the command]\nnote: kept'
  const { detail, reason } = viewOutcome(outcomeOf({ tool: 'bash', ok: false, text, data: { exit: 1 } }))
  expect(detail).toEqual({ kind: 'output', lines: ['one', '[two]'] })
  expect(reason).toBeUndefined()
})

test.each([
  ['a\n[1]\n[exit 0]', ['a', '[1]']],
  ['a\n[exit 0]\n[sandbox: no b]', ['a', '[sandbox: no b]']],
  ['[exit 1]\n[sandbox: no b]\n[sandbox: c]\nnote: kept', ['[sandbox: no b]', '[sandbox: c]']],
])('shows of the end of %j only what the sandbox did', (text, lines) => {
  const { detail } = viewOutcome(outcomeOf({ tool: 'bash', text, data: { exit: 0 } }))
  expect(detail).toEqual({ kind: 'output', lines })
})

test.each([
  ['error not_found: READ.md does not exist\ndid you mean README.md?', 'not_found', 'READ.md does not exist'],
  ['bash was not allowed', 'denied', 'bash was not allowed'],
  [
    'error denied: bash was not allowed: a\nthe user denied it because of: b; c, and says: use a branch',
    'denied',
    'you denied it: use a branch',
  ],
  ['error denied: bash was not allowed: a\nthe run was ended', 'denied', 'the run was ended'],
  ['', 'blocked_address', 'blocked address'],
  ['', undefined, 'failed'],
])('shows the reason of the failure %j to the user', (text, code, reason) => {
  expect(viewOutcome(outcomeOf({ ok: false, text, code })).reason).toBe(reason)
})

test("shows the first question and the user's answer below it, or the dismissal", () => {
  const answers = [
    { id: 'a', topic: 'Rounding', question: 'How?', option: 'up', label: 'half up' },
    { id: 'b', question: 'Which name?', text: 'roundMoney' },
    null,
  ]
  const asked = outcomeOf({
    tool: 'ask_user',
    args: { question: 'How?' },
    data: { status: 'answered', answers },
  })
  expect(viewOutcome(asked)).toMatchObject({
    ...{ subject: 'How?', facts: [] },
    detail: { kind: 'output', lines: ['Rounding: half up', 'Which name? roundMoney', ': '] },
  })
  const none = outcomeOf({ tool: 'ask_user', data: { status: 'dismissed', answers: [] } })
  expect(viewOutcome(none)).toMatchObject({ facts: ['dismissed'], detail: { kind: 'none' } })
})

test('ends a reason before a final colon', () => {
  const text = 'error not_found: not in the file; first difference in line 5:\n  x'
  expect(viewOutcome(outcomeOf({ ok: false, text, data: {} })).reason).toBe(
    'not in the file; first difference in line 5',
  )
})
