// Calls as rows: their state, and the shown part of their result.
import { describe, expect, test } from 'vitest'
import type { CallBlock } from '../../../../internal/session/view/session-view.ts'
import { drawCall, drawReads, isFoldedRead } from '../../../../internal/tui/run-view/call-view.ts'
import { lookOf } from '../../../support/session-view.ts'

const bash: CallBlock = {
  ...{ kind: 'call', id: 'c', tool: 'bash', args: { command: 'npm test' }, since: 0, state: 'running' },
}
const output = Array.from({ length: 60 }, (_, i) => `line ${i}`).join('\n')
const ended = (ok: boolean): CallBlock => ({
  ...{ ...bash, state: 'ended' },
  result: { call: 'c', tool: 'bash', ok, text: output, ms: 1_200, data: { exit: ok ? 0 : 1 } },
})
const draw = (block: CallBlock, now = 0, look = lookOf(60)) => drawCall(block, now, look)

test('shows a call that waits, runs and ends', () => {
  expect(draw({ ...bash, state: 'waits' })[0]).toMatch(/● bash.*npm test.*waits for an answer$/)
  expect(draw(bash)).toEqual([expect.stringMatching(/● bash.*npm test$/)])
  expect(draw({ ...bash, progress: 'one\ntwo\n\n' }, 2_500)).toEqual([
    expect.stringMatching(/2\.5 s$/),
    '   two',
  ])
  expect(draw(ended(true))[0]).toMatch(/✔ bash.*1\.2 s$/)
  expect(draw({ ...bash, state: 'ended' })[0]).toMatch(/✖ bash.*did not end$/)
})

describe('the shown part of the output', () => {
  test.each([
    ['five rows where it did well', ended(true), 5],
    ['twenty where it failed', ended(false), 20],
    ['twenty where the user has called', { ...ended(true), byPerson: true }, 20],
  ])('%s', (_, block, rows) => {
    expect(draw(block)).toHaveLength(1 + 1 + rows)
    expect(draw(block).at(-1)).toBe('   line 59')
  })

  test('shows all on request', () => {
    expect(draw(ended(true), 0, { ...lookOf(), all: true })).toHaveLength(61)
  })
})

test('shows twelve rows of a diff', () => {
  const diff = `--- a\n+++ b\n@@ -1,0 +1,40 @@\n${'+x\n'.repeat(40)}`
  const data = { path: 'a.ts', added: 40, removed: 0, diff }
  const block: CallBlock = {
    ...{ ...bash, tool: 'edit_file', state: 'ended' },
    result: { call: 'c', tool: 'edit_file', ok: true, text: '', data },
  }
  expect(draw(block)).toHaveLength(1 + 12 + 1)
})

test("shows the user's calls like those of the model", () => {
  const data = { path: 'a.ts', start_line: 10, end_line: 12 }
  const read: CallBlock = {
    ...{ ...bash, tool: 'read', args: { path: 'a.ts' }, state: 'ended' },
    result: { call: 'c', tool: 'read', ok: true, text: '', data },
  }
  expect(draw(read)[0]).toMatch(/✔ read +a\.ts +3 lines/)
  expect(draw({ ...read, byPerson: true })[0]).toMatch(/✔ ! read +a\.ts +3 lines/)
})

test('only successful reads of the model share a row', () => {
  const read: CallBlock = { ...ended(true), tool: 'read' }
  expect(isFoldedRead(read)).toBe(true)
  expect(isFoldedRead({ ...read, byPerson: true })).toBe(false)
  expect(isFoldedRead({ ...ended(false), tool: 'read' })).toBe(false)
  expect(isFoldedRead(ended(true))).toBe(false)
  expect(isFoldedRead({ ...read, state: 'running' })).toBe(false)
})

test('a tool that finds positions counts as a search, and next to reads each tool is named', () => {
  const find: CallBlock = { ...ended(true), tool: 'grep', args: { pattern: 'a' } }
  expect(drawReads([find, { ...find, tool: 'glob' }], lookOf())[0]).toContain('2 searches')
  const read: CallBlock = { ...ended(true), tool: 'read', args: { path: 'b.py' } }
  const both = drawReads([find, read, find], lookOf())[0]
  expect(both).toMatch(/3 calls +grep a; read b\.py/)
})
