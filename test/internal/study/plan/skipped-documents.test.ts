// Messages to users about documents that were not read.
import { expect, test } from 'vitest'
import {
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
