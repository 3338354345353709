// The map of the sources for the planner: it counts each file once, and is short for any tree.
import { expect, test } from 'vitest'
import {
  adviseUnread,
  describeSkippedDocuments,
  describeUnread,
  drawSourceMap,
} from '../../../../internal/study/plan/source-map.ts'
import { choice, rng } from '../../../support/rng.ts'

const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

test('lists directories with the number of their files and the first names', () => {
  const paths = ['README.md', 'doc/a.md', 'doc/b.md', 'src/main.ts', 'src/store/lock.ts', 'src/store/log.ts']
  expect(drawSourceMap(paths)).toBe(
    './ 1 file: README.md\ndoc/ 2 files: a.md, b.md\nsrc/ 1 file: main.ts\nsrc/store/ 2 files: lock.ts, log.ts',
  )
  expect(drawSourceMap(['a\nb.md'])).toBe('./ 1 file: a b.md')
  expect(drawSourceMap([])).toBe('')
})

test(`is short, and counts each file once if it lists all directories (seed ${seed})`, () => {
  const random = rng(seed)
  for (let round = 0; round < 60; round++) {
    const width = 1 + Math.floor(random() * 60)
    const paths = Array.from({ length: Math.floor(random() * 3000) }, (_, i) => {
      const depth = Math.floor(random() * 7)
      const dirs = Array.from({ length: depth }, () => `d${Math.floor(random() * width)}`)
      return [...dirs, `${choice(random, ['file', 'x'.repeat(200)])}${i}.md`].join('/')
    }).sort()
    const lines = drawSourceMap(paths).split('\n')
    expect(lines.length).toBeLessThanOrEqual(41)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(161)
    const countOf = (line: string) => Number(/\/ ([\d,]+) files?: /.exec(line)?.[1]?.replaceAll(',', '') ?? 0)
    const counted = lines.reduce((sum, line) => sum + countOf(line), 0)
    if (!lines.at(-1)?.startsWith('and ')) expect(counted).toBe(paths.length)
    else expect(counted).toBeLessThan(paths.length)
  }
})

// Messages to users about documents that were not read.

test('lists as many documents by name as fit a screen, and counts the others', () => {
  const locked = Array.from({ length: 10 }, (_, i) => ({ path: `p${i}.pdf`, why: 'it is encrypted' }))
  const others = [{ path: 'a.bin', why: 'binary' }]
  const told = describeSkippedDocuments([...others, ...locked, { path: 'b.xlsx', why: 'an Excel file' }])
  expect(told.others).toEqual(others)
  expect(told.lines).toHaveLength(9)
  expect(told.lines[0]).toBe('skipped p0.pdf: it is encrypted')
  expect(told.lines.at(-1)).toBe('skipped 3 more documents; the report names them')
  const one = describeSkippedDocuments(locked.slice(0, 9))
  expect(one.lines.at(-1)).toBe('skipped 1 more document; the report names it')
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
