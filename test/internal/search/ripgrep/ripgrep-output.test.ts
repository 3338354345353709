// The stream of ripgrep, cut at any place, with names and lines made to mislead.
import { expect, test } from 'vitest'
import type { FileHits } from '../../../../internal/search/hit-buffer.ts'
import {
  clipToMatch,
  createHitReader,
  maxLineBytes,
} from '../../../../internal/search/ripgrep/ripgrep-output.ts'

function read(text: string, step: number, limits = { max: 50, context: 0, room: 1 << 20 }) {
  const files: FileHits[] = []
  let dropped = 0
  const sink = {
    beyond: (name: string) => name === 'beyond',
    drop: (matches: number) => {
      dropped += matches
    },
    add: (hits: FileHits) => files.push(hits),
  }
  const one = createHitReader(limits, (name) => name !== 'no', sink)
  for (let at = 0; at < text.length; at += step) one.take(Buffer.from(text.slice(at, at + step), 'latin1'))
  const { binary } = one.end()
  return { files, dropped, binary }
}

const misleading = [
  './a\x001:3:x y\r\n2-./b\x0012:1:no\n--\n9:1:\n',
  '\n./new\n12:1:line\x007:1:12:1:fake\n',
  './new\n12:1:line: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n',
  '\n./no\x001:1:not admitted\n',
  '\n./beyond\x001:1:x\n2:1:y\n',
].join('')

test.each([1, 2, 7, 1_000])('reads output that arrives in pieces of %i bytes', (step) => {
  expect(read(misleading, step)).toEqual({
    files: [
      {
        name: 'a',
        lines: [
          { line: 1, match: true, column: 3, text: 'x y' },
          { line: 2, match: false, text: './b\x0012:1:no' },
          { line: 9, match: true, column: 1, text: '' },
        ],
        matches: 2,
      },
      { name: 'new\n12:1:line', lines: [{ line: 7, match: true, column: 1, text: '12:1:fake' }], matches: 1 },
    ],
    dropped: 2,
    binary: true,
  })
})

test('past the limit nothing but the context of the last match is kept', () => {
  const text = './a\x001-b\n2:1:m\n3-c\n4-d\n5:1:m\n6-e\n'
  const lines = read(text, 100, { max: 1, context: 1, room: 1 << 20 }).files[0]?.lines
  expect(lines?.map((line) => [line.line, line.match])).toEqual([
    [1, false],
    [2, true],
    [3, false],
  ])
})

test('a match right after the last one shows as its context', () => {
  const lines = read('./a\x001:1:m\n2:1:m\n3-c\n', 100, { max: 1, context: 1, room: 1 << 20 }).files[0]?.lines
  expect(lines?.map((line) => [line.line, line.match])).toEqual([
    [1, true],
    [2, false],
  ])
})

test('limits the stored lines of a file, but counts all of its matches', () => {
  const text = `./a\0${Array.from({ length: 500 }, (_, i) => `${i + 1}:1:${'y'.repeat(100)}\n`).join('')}`
  const hits = read(text, 4_096, { max: 1_000, context: 0, room: 1_000 }).files[0]
  expect(hits?.matches).toBe(500)
  expect(hits?.lines.length).toBeLessThan(15)
})

test.each([
  ['short', 1, 'short'],
  ['x'.repeat(1_000), 1, 'x'.repeat(1_000)],
  [`${'x'.repeat(1_500)}m`, 1_501, `…${'x'.repeat(999)}m`],
  [`m${'x'.repeat(1_500)}`, 1, `m${'x'.repeat(999)}…`],
  [`${'x'.repeat(5_000)}m${'z'.repeat(5_000)}`, 5_001, `…${'x'.repeat(200)}m${'z'.repeat(799)}…`],
  [`${'x'.repeat(maxLineBytes)} [... omitted end of long line]`, 1, `${'x'.repeat(1_000)}…`],
  [`${'x'.repeat(maxLineBytes)} [... 1 more match]`, 90_000, `…${'x'.repeat(1_000)}…`],
])('a long line is shown around its match (case %#)', (text, column, expected) => {
  expect(clipToMatch(text, column)).toBe(expected)
})

test('cutting a line does not split a character', () => {
  const text = Buffer.from('é'.repeat(3_000)).toString('latin1')
  for (const column of [1, 1_002, 1_003, 5_999]) expect(clipToMatch(text, column)).not.toContain('\ufffd')
})
