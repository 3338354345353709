// Hunks applied to a text: the bytes they leave, what is reported, and how a refusal reads.
import { describe, expect, it } from 'vitest'
import { countLines } from '../../../internal/base/text/line-count.ts'
import { applyHunks, contentOf } from '../../../internal/patch/hunk-application.ts'
import { readUnified } from '../../../internal/patch/unified-diff.ts'
import { refusalOf } from '../../support/refusal.ts'

const apply = (text: string, diff: string) => applyHunks(text, readUnified(diff, 'f')[0]?.hunks ?? [], 'f')

describe('the text', () => {
  it.each<[string, string, string, string]>([
    [
      'LF patch, CRLF file',
      'a\r\nb\r\nc\r\n',
      '@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c\n',
      'a\r\nx\r\ny\r\nc\r\n',
    ],
    ['CRLF patch, LF file', 'a\nb\n', '@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+x\r\n', 'a\nx\n'],
    ['a patch that changes line ends', 'a\r\nb\n', '@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n', 'a\nb\n'],
    ['mixed file', 'a\r\nb\nc\r\n', '@@ -2 +2 @@\n-b\n+x\n', 'a\r\nx\nc\r\n'],
    ['no last line end, no marker', 'a\nb', '@@ -1,2 +1,2 @@\n a\n-b\n+c\n', 'a\nc'],
    ['lines put behind it', 'a\nb', '@@ -1,2 +1,3 @@\n a\n b\n+c\n', 'a\nb\nc'],
    [
      'a last line end taken away',
      'a\nb\n',
      '@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n',
      'a\nb',
    ],
    [
      'a last line end added',
      'a\nb',
      '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n',
      'a\nb\n',
    ],
    [
      'a byte order mark the patch leaves out',
      '\uFEFFa\nb\n',
      '@@ -1,2 +1,2 @@\n-a\n+x\n b\n',
      '\uFEFFx\nb\n',
    ],
    ['context keeps its own white space', 'a  \nb\n', '@@ -1,2 +1,2 @@\n a\n-b\n+c\n', 'a  \nc\n'],
    ['everything removed', 'a\nb\n', '@@ -1,2 +0,0 @@\n-a\n-b\n', ''],
    ['an empty file filled', '', '@@ -0,0 +1 @@\n+a\n', 'a\n'],
  ])('%s', (_, before, diff, after) => {
    expect(apply(before, diff).text).toBe(after)
  })
})

it('reports where hunks were applied', () => {
  const filler = 'x\n'.repeat(10)
  const { landings, added, removed } = apply(
    `new\n${filler}a\nb\n${filler}c \nd\n`,
    '@@ -11,2 +11,2 @@\n-a\n+A\n b\n@@ -23,2 +23,3 @@\n c\n-d\n+D\n+E\n',
  )
  expect(landings).toEqual([
    { hunk: 1, line: 12, offset: 1, fuzz: 0, match: 'exact' },
    { hunk: 2, line: 24, offset: 1, fuzz: 0, match: 'trailing_whitespace' },
  ])
  expect([added, removed]).toEqual([3, 2])
})

describe('refusals', () => {
  it('show the hunk and the first line that differs', async () => {
    const failure = await refusalOf(() =>
      apply('a\nb\nc\n', '@@ -1 +1 @@\n-a\n+A\n@@ -2,2 +2,2 @@\n b\n-x\n+y\n'),
    )
    expect(failure?.code).toBe('hunk_mismatch')
    expect(failure?.message).toContain('hunk 2 of 2 for f (@@ -2,2 +2,2 @@) does not fit')
    expect(failure?.message).toContain('first difference in line 3')
    expect(failure?.detail).toMatchObject({
      file: 'f',
      hunk: 2,
      closest: { differs: { wanted: 'x', found: 'c' } },
    })
  })

  it('report a patch that was already applied', async () => {
    const failure = await refusalOf(() =>
      apply('new line\nb\n', '@@ -1,2 +1,2 @@\n-old line\n+new line\n b\n'),
    )
    expect(failure?.hint).toContain('applied before')
  })

  it.each<[string, string, string, string]>([
    ['several places', 'a\na\n', '@@ @@\n-a\n+b\n', 'ambiguous'],
    ['an insertion nowhere', 'a\n', '@@ @@\n+b\n', 'ambiguous'],
    ['nothing like it', 'a\n', '@@ @@\n-something else\n+b\n', 'hunk_mismatch'],
  ])('%s', async (_, text, diff, code) => {
    expect((await refusalOf(() => apply(text, diff)))?.code).toBe(code)
  })
})

it('applies hunks of any size', () => {
  const many = Array.from({ length: 200_000 }, (_, i) => `+line ${i}\n`).join('')
  expect(countLines(apply('a\n', `@@ -1 +1,200001 @@\n a\n${many}`).text)).toBe(200_001)
})

it('joins the content of a created file', () => {
  const [file] = readUnified(
    '--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n',
  )
  expect(contentOf(file?.hunks ?? [])).toBe('a\nb')
})
