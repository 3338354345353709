// The lines before and after a run, at any width.
import { expect, test } from 'vitest'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import type { ChangedFile } from '../../../../internal/tui/run-view/file-changes.ts'
import {
  headerLine,
  shortDirectory,
  summaryLines,
  totalsText,
} from '../../../../internal/tui/run-view/run-frame.ts'
import { penOf } from '../../../support/tui.ts'

const spent = {
  input: 1234,
  output: 300,
  cached: 0,
  cacheWrite: 0,
  usd: 0.0018,
  estimated: false,
  requests: 2,
  calls: 3,
}
const init = {
  profile: 'own',
  model: 'openai/gpt-5',
  mode: 'auto',
  cwd: '/srv/a/very/long/way/to/shop',
  tools: [],
}

test('whose run it is and where', () => {
  expect(headerLine(init, penOf(80))).toBe('own  openai/gpt-5  auto  /srv/a/very/long/way/to/shop')
  expect(headerLine(init, penOf(40))).toBe('own  openai/gpt-5  auto  …ng/way/to/shop')
  expect(headerLine({ ...init, mode: undefined, cwd: '/a\u001b[2J' }, penOf())).toBe('own  openai/gpt-5  /a')
})

test.each([
  ['/home/me', '/home/me', '~'],
  ['/home/me/a', '/home/me', '~/a'],
  ['/home/mean', '/home/me', '/home/mean'],
  ['/a', '/', '/a'],
])('%s at home in %s is %s', (path, home, short) => {
  expect(shortDirectory(path, home)).toBe(short)
})

test.each([
  [{}, '$0.0018  1.2k/300 tokens  3 calls  8.2 s'],
  [{ usd: null }, 'cost unknown  1.2k/300 tokens  3 calls  8.2 s'],
  [{ estimated: true, calls: 1 }, '$0.0018  about 1.2k/300 tokens  1 call  8.2 s'],
])('%j is said in figures', (over, text) => {
  expect(totalsText({ spent: { ...spent, ...over }, denied: 0, ms: 8200 })).toBe(text)
})

test('calls that were not allowed are counted', () => {
  expect(totalsText({ spent, denied: 2, ms: 10 })).toContain('3 calls, 2 denied')
})

test('files are named with what changed, twenty of them, never wider than the terminal', () => {
  const file: ChangedFile = {
    kind: 'M',
    path: `src/${'漢'.repeat(60)}.ts`,
    added: 2,
    removed: 1,
    counted: true,
  }
  const files = Array.from({ length: 23 }, (_, i) => ({ ...file, counted: i > 0 }))
  for (const width of [20, 40, 80, 120]) {
    const lines = summaryLines(files, { spent, denied: 0, ms: 10 }, penOf(width))
    expect(lines[20]).toBe('… 3 more files')
    expect(lines[1]).toMatch(/^M src\/.*…?.*\.ts \+2 -1$/)
    for (const line of lines) expect(countCells(line)).toBeLessThanOrEqual(width)
  }
  expect(
    summaryLines([{ ...file, path: 'a', counted: false }], { spent, denied: 0, ms: 1 }, penOf())[0],
  ).toBe('M a')
})
