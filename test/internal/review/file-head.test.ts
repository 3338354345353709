// Beginnings of files and numbers of lines, of regular files only.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolvePath } from '../../../internal/policy/paths/path-jail.ts'
import { countFileLines, readHead } from '../../../internal/review/file-head.ts'
import { scratchWith } from '../../support/scratch.ts'

const place = (dir: string, path: string) =>
  resolvePath(dir, { workspace: dir, added: [], protected: [] }, path)

test.each<[string, string | Buffer, number, object]>([
  ['whole', 'ab', 8, { kind: 'text', text: 'ab', whole: true }],
  ['cut between characters', 'aéé', 3, { kind: 'text', text: 'aé', whole: false }],
  ['cut inside of one', 'éaé', 4, { kind: 'text', text: 'éa', whole: false }],
  ['binary', Buffer.from([0, 1]), 8, { kind: 'binary', whole: true }],
])('%s', async (_, content, limit, expected) => {
  const dir = scratchWith({ f: content })
  expect(await readHead(place(dir, 'f'), limit)).toMatchObject(expected)
})

test('does not follow a link', async () => {
  const dir = scratchWith({ f: 'x' })
  symlinkSync('f', join(dir, 'l'))
  await expect(readHead(place(dir, 'l'), 8)).rejects.toMatchObject({ failure: { code: 'outside_workspace' } })
})

test.each([
  ['', 1],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['a\r\nb\r\n', 2],
  ['\n\n', 2],
])('%j has %i', async (text, lines) => {
  expect(await countFileLines(join(scratchWith({ f: text }), 'f'))).toBe(lines)
})

test('returns no line count without a regular file', async () => {
  const dir = scratchWith({})
  expect([await countFileLines(dir), await countFileLines(join(dir, 'gone'))]).toEqual([undefined, undefined])
})
