// Approvals note words that look like others, wherever the word is: command, arguments, directory, reason, diff.
import { expect, test } from 'vitest'
import { approvalColumns, partQuestionLines } from '../../../../internal/tui/approval/approval-lines.ts'
import { approvalText } from '../../../../internal/tui/approval/approval-text.ts'
import { textLook } from '../../../../internal/tui/approval/argument-lines.ts'
import { requestOf } from '../../../support/approval.ts'

const fake = './dеploy.sh'
const note = `Caution: "${fake}" looks like ./deploy.sh, but "е" is U+0435 (Cyrillic)`
const places: [string, Parameters<typeof requestOf>[0]][] = [
  ['the command', { args: { command: `${fake} --all` } }],
  ['the second line of a command', { args: { command: `cd x\n${fake}` } }],
  ['an argument', { args: { path: fake } }],
  ['a nested argument', { args: { edits: [{ path: fake }] } }],
  ['the directory', { cwd: fake }],
  ['the tool', { tool: fake }],
  ['the reason', { reasons: [`no rule allows ${fake}`] }],
  ['the task of a subagent', { child: `run ${fake} now` }],
  ['a part', { parts: [{ name: fake, why: 'no rule allows it', action: 'ask' }] as never }],
]

test.each(places)('%s', (_, over) => {
  const request = requestOf({ args: { query: 'x' }, ...over })
  expect(
    approvalText(request, undefined)
      .split('\n')
      .filter((line) => line === note),
  ).toHaveLength(1)
  const columns = Array.from(approvalColumns(request, undefined, textLook(true), 'keep'), ({ text }) => text)
  expect(columns.filter((text) => text === note)).toHaveLength(1)
})

test('the question about one part notes it', () => {
  const request = requestOf({
    args: { command: `ls; ${fake}` },
    parts: [{ name: fake, why: 'x', action: 'ask' }] as never,
  })
  expect(Array.from(partQuestionLines(request, 0, [], textLook(true)), ({ text }) => text)).toContain(note)
})

test('a changed file', () => {
  const file = { path: 'run.sh', hunks: `@@ -1 +1 @@\n-ls\n+${fake}\n` }
  expect(
    approvalText(requestOf({ tool: 'edit', args: { path: 'run.sh' } }), {
      shows: [],
      files: [file],
    } as never),
  ).toContain(note)
})

test('many such words end in one note, and plain text has none', () => {
  const command = Array.from({ length: 300 }, (_, i) => `./dеploy${i}.sh`).join(' ')
  const notes = approvalText(requestOf({ args: { command } }), undefined)
    .split('\n')
    .filter((line) => line.startsWith('Caution'))
  expect(notes).toHaveLength(51)
  expect(notes.at(-1)).toBe('Caution: more such words follow')
  expect(
    approvalText(requestOf({ args: { command: 'echo "Привет, мир" # größer' } }), undefined),
  ).not.toContain('Caution')
})
