// Painted code: a part of a line keeps the colors of its words.
import { expect, test } from 'vitest'
import { type CodeRun, codeKinds } from '../../../../internal/base/code/code-runs.ts'
import { codeStyles, paintCode } from '../../../../internal/render/code/code-style.ts'
import { makePen } from '../../../../internal/render/pen.ts'
import { lookOf } from '../../../support/session-view.ts'

const runs: CodeRun[] = [
  { text: 'const', kind: 'keyword' },
  { text: ' a = ', kind: undefined },
  { text: '1', kind: 'number' },
]

test('each kind has a look', () => {
  for (const kind of codeKinds) expect(Object.keys(codeStyles[kind]).length).toBeGreaterThan(0)
})

test('paints any part, and nothing without colors', () => {
  const text = 'const a = 1'
  const plain = makePen(lookOf(80))
  const colored = makePen(lookOf(80, 1))
  for (let start = 0; start <= text.length; start++) {
    for (let end = start; end <= text.length; end++) {
      expect(paintCode(runs, start, end, plain)).toBe(text.slice(start, end))
      expect(paintCode(runs, start, end, colored).replace(/\x1b\[\d+m/g, '')).toBe(text.slice(start, end))
    }
  }
  expect(paintCode(runs, 2, 7, colored)).toBe('\x1b[35mnst\x1b[39m a')
})
