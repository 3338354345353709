// Messages to users about documents that were not read.
import { expect, test } from 'vitest'
import {
  adviseUnread,
  describeSkippedDocuments,
  describeUnread,
} from '../../../../internal/study/plan/skipped-documents.ts'

test('lists as many documents by name as fit a screen, and counts the others', () => {
  const locked = Array.from({ length: 10 }, (_, i) => ({ path: `p${i}.pdf`, why: 'it is encrypted' }))
  const others = [{ path: 'a.bin', why: 'binary' }]
  const told = describeSkippedDocuments([...others, ...locked, { path: 'b.xlsx', why: 'an Excel file' }])
  expect(told.others).toEqual(others)
  expect(told.lines).toHaveLength(9)
  expect(told.lines[0]).toBe('skipped p0.pdf: it is encrypted')
  expect(told.lines.at(-1)).toBe('skipped 3 more documents; the report names them')
})

test('reports in one line why nothing could be read', () => {
  const scans = Array.from({ length: 5 }, (_, i) => ({ path: `s${i}.pdf`, why: 'no text: 2 scanned pages' }))
  expect(describeUnread([])).toBe('')
  expect(describeUnread(scans.slice(0, 1))).toBe(' (s0.pdf: no text: 2 scanned pages)')
  expect(describeUnread(scans)).toMatch(/^ \(s0\.pdf: no text: 2 scanned pages; .*; 2 more\)$/)
})

test.each([
  ['answer.md', 'read answer.md'],
  ['out/answer.html', 'read out/answer.html'],
  ['answer.pdf', 'read_document answer.pdf'],
  ['answer.docx', 'read_document answer.docx'],
  ["my answer's.md", "read 'my answer'\\''s.md'"],
])('names an earlier report %s and how to read it', (path, command) => {
  const skipped = [{ path, why: 'a report of a study' }]
  const { lines, others } = describeSkippedDocuments(skipped)
  expect(others).toEqual([])
  expect(lines).toEqual([
    `skipped 1 earlier report that quotes other files: ${path}; to read it: anode tools use ${command}`,
  ])
  expect(adviseUnread(skipped)).toBe(`name another one with --root; to read it: anode tools use ${command}`)
})

test('names the first of many earlier reports', () => {
  const skipped = Array.from({ length: 5 }, (_, i) => ({ path: `r${i}.md`, why: 'a report of a study' }))
  expect(describeSkippedDocuments(skipped).lines).toEqual([
    'skipped 5 earlier reports that quote other files: r0.md, r1.md, r2.md, 2 more; to read the first: anode tools use read r0.md',
  ])
  expect(adviseUnread([{ path: 'a.bin', why: 'binary' }])).toBe('name another one with --root')
})
