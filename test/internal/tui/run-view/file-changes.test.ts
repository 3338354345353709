// File changes from results of calls, added up per file over a run.
import { expect, test } from 'vitest'
import { collectChanges, readFileDiffs, writesOf } from '../../../../internal/tui/run-view/file-changes.ts'
import type { ToolOutcome } from '../../../../internal/tui/run-view/tool-outcome.ts'
import { outcomeOf } from '../../../support/tui.ts'

const edit = (path: string, added: number, removed: number) =>
  outcomeOf({
    tool: 'edit_file',
    data: { path, added, removed, diff: `--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n` },
  })
const create = (path: string, content: string) =>
  outcomeOf({ tool: 'create_file', args: { path, content }, data: { path, action: 'created', diffs: [] } })
const patch = (...diffs: [string, string, number, number][]) =>
  outcomeOf({
    tool: 'apply_patch',
    data: {
      diffs: diffs.map(([path, what, added, removed]) => ({ path, what, hunks: '', added, removed })),
    },
  })

/** Returns the outcome of a call whose scope is to write `c`. */
const writing = (over: Partial<ToolOutcome>) => outcomeOf({ ...over, tool: 'writing' })

test.each<[string, ToolOutcome, object[]]>([
  ['an edit without the lines that name its file', edit('a.ts', 1, 1), [{ hunks: '@@ -1 +1 @@\n-a\n+b\n' }]],
  ['a new file', create('a', 'x\ny\n'), [{ what: 'created', hunks: '+x\n+y\n', added: 2, removed: 0 }]],
  ['a new file without a last line end', create('a', 'x'), [{ hunks: '+x\n\\ No newline at end of file\n' }]],
  ['an empty new file', create('a', ''), [{ hunks: '', added: 0 }]],
  ['a trial', outcomeOf({ data: { path: 'a', diff: 'x\ny\n+z', dry_run: true } }), []],
  ['what failed', { ...edit('a', 1, 1), ok: false }, []],
  ['what is no list of changes', outcomeOf({ data: { diffs: [null, 3, { path: 'a' }] } }), []],
  ['a reading', outcomeOf({ data: { path: 'a' } }), []],
])('%s is read', (_, outcome, expected) => {
  expect(readFileDiffs(outcome)).toMatchObject(expected)
  expect(readFileDiffs(outcome)).toHaveLength(expected.length)
})

test.each<[string, ToolOutcome[], string[]]>([
  [
    'edits of one file add up',
    [edit('a', 2, 1), edit('b', 1, 1), edit('a', 3, 0)],
    ['M a +5 -1', 'M b +1 -1'],
  ],
  ['a new file stays new', [create('a', 'x\ny\n'), edit('a', 1, 1)], ['A a +3 -1']],
  ['a file that came and went', [create('a', 'x'), patch(['a', 'removed', 0, 1])], []],
  ['a removed file', [edit('a', 1, 0), patch(['a', 'removed', 0, 4])], ['D a +1 -4']],
  ['removed and made again', [patch(['a', 'removed', 0, 1]), create('a', 'x\n')], ['M a +1 -1']],
  [
    'a renamed file keeps what was done to it',
    [edit('a', 1, 1), patch(['a', 'renamed to b', 0, 0], ['b', 'renamed from a, executable', 2, 0])],
    ['R b +3 -1'],
  ],
  ['what a tool wrote without saying how', [writing({})], ['M c ?']],
  ['a file that holds this already', [writing({ data: { action: 'unchanged' } })], []],
  ['a failed write', [writing({ ok: false })], []],
])('%s', (_, outcomes, expected) => {
  const list = collectChanges()
  for (const outcome of outcomes) list.add(outcome, outcome.tool.startsWith('writing') ? ['c'] : [])
  const lines = list
    .files()
    .map(({ kind, path, added, removed, counted }) =>
      counted ? `${kind} ${path} +${added} -${removed}` : `${kind} ${path} ?`,
    )
  expect(lines).toEqual(expected)
})

test('takes the written files from the scope', () => {
  const scope = [{ kind: 'path', path: 'a', access: 'write' }, { kind: 'path', path: 'b', access: 'read' }, 7]
  expect(writesOf(scope)).toEqual(['a'])
  expect(writesOf(undefined)).toEqual([])
})
