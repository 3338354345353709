// Ended calls as lines: long ones folded, never wider than the terminal, without control sequences.
import { describe, expect, test } from 'vitest'
import type { ColorDepth } from '../../../../internal/render/terminal.ts'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { drawOutcome } from '../../../../internal/tui/run-view/tool-lines.ts'
import type { ToolOutcome } from '../../../../internal/tui/run-view/tool-outcome.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { choice, type Rng, rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'
import { bare, outcomeOf, penOf } from '../../../support/tui.ts'

const hunks = (count: number) => `@@ -1,0 +1,${count} @@\n${'+line\n'.repeat(count)}`
const patched = (count: number, isCut = false) =>
  outcomeOf({
    tool: 'edit_file',
    args: { path: 'src/a.ts' },
    data: { path: 'src/a.ts', added: count, removed: 1, diff: `--- a\n+++ b\n${hunks(count)}` },
    isCut,
  })

describe('a diff', () => {
  test('of one file appears below its line without the file name', () => {
    expect(drawOutcome(patched(2), penOf(60))).toEqual([
      `✔ edit_file   src/a.ts${' '.repeat(26)}+2 -1  12 ms`,
      '  │ @@ -1,0 +1,2 @@',
      '  │ +line',
      '  │ +line',
    ])
  })

  test('that is long is folded, with the number of hidden lines', () => {
    const lines = drawOutcome(patched(60), penOf())
    expect(lines).toHaveLength(1 + 20 + 1)
    expect(lines.at(-1)).toBe('  … 41 more lines')
    expect(drawOutcome(patched(60, true), penOf()).at(-1)).toBe('  … more lines')
  })
})

test('output shows its end, and the number of lines above', () => {
  const text = `${Array.from({ length: 120 }, (_, i) => `line ${i + 1}`).join('\n')}\n[exit 1]`
  const call = { tool: 'bash', args: { command: 'npm test' }, text, ok: false, data: { exit: 1 } }
  const lines = drawOutcome(outcomeOf(call), penOf(60))
  expect(lines[0]).toMatch(/^✖ bash {8}npm test {17,}exit 1 {2}12 ms$/)
  expect(lines.slice(1)).toEqual([
    '  … 112 more lines above',
    ...Array.from({ length: 8 }, (_, i) => `  line ${113 + i}`),
  ])
})

test.each([
  [true, ['✔ one', '● two', '○ three']],
  [false, ['[x] one', '[>] two', '[ ] three']],
])('draws a todo list, unicode %s', (unicode, expected) => {
  const todos = ['completed', 'in_progress', 'pending'].map((status, i) => ({
    content: ['one', 'two', 'three'][i],
    status,
  }))
  const lines = drawOutcome(outcomeOf({ tool: 'todo_write', data: { todos } }), penOf(80, 0, unicode))
  expect(lines.slice(1)).toEqual(expected.map((line) => `  ${line}`))
})

test('draws a component, but not a broken one', () => {
  const spec = { root: 'a', elements: { a: { type: 'Badge', props: { label: 'ok' } } } }
  expect(drawOutcome(outcomeOf({ tool: 'render', data: { render_spec: spec } }), penOf())[1]).toContain('ok')
  expect(drawOutcome(outcomeOf({ tool: 'render', data: { render_spec: 7 } }), penOf())).toHaveLength(1)
})

test('draws a chart for the user as for the model', async () => {
  const { chart } = await import('../../../../internal/tools/draw/chart.ts')
  const { data, text } = await call(chart, { data: { p50: 12, p95: 45 }, title: 'latency' }, ctxWith())
  const lines = drawOutcome(outcomeOf({ tool: 'chart', data: data as never, text }), penOf())
  expect(lines.join('\n')).toMatch(/latency[\s\S]*p50 +█+[\s\S]*p95 +█+/)
})

test('a failure shows the reason', () => {
  const call = { ok: false, code: 'not_found', text: 'error not_found: READ.md does not exist\nhint' }
  expect(drawOutcome(outcomeOf(call), penOf(40)).map((line) => line.trimEnd())).toEqual([
    `✖ read${' '.repeat(29)}12 ms`,
    '  READ.md does not exist',
  ])
})

const pieces = [
  'a',
  ' ',
  'word ',
  '漢字',
  '👩‍👩‍👧',
  '\u001b[2J',
  '\u001b]0;title\u0007',
  '\u009b31m',
  '\u202e',
  '\r',
  '\n',
  '\t',
  '\b',
  '\u0000',
  'e\u0301',
  '\ud800',
  '+',
  '-',
  'x'.repeat(50),
]
const textOf = (random: Rng) =>
  Array.from({ length: Math.floor(random() * 30) }, () => choice(random, pieces)).join('')

function anyOutcome(random: Rng): ToolOutcome {
  const text = () => textOf(random)
  const lines = () => Array.from({ length: Math.floor(random() * 40) }, text).join('\n')
  const diff = () => ({ path: text(), what: text(), hunks: lines(), added: 123_456, removed: 7 })
  const data: Record<string, unknown> = choice(random, [
    {},
    { exit: 1, signal: text() },
    { path: text(), diff: lines(), added: 1, removed: 2 },
    { diffs: [diff(), diff()] },
    { todos: [{ content: text(), status: text() }, { content: lines(), status: 'in_progress' }, 3] },
    { render_spec: { root: 'a', elements: { a: { type: 'Text', props: { text: lines() } } } } },
    { start_line: 1, end_line: 1e12 },
  ])
  const tool = choice(random, ['read', 'bash', 'edit_file', 'grep', text()])
  const args = { path: text(), command: lines(), pattern: text() }
  const ok = random() < 0.5
  return outcomeOf({ tool, args, ok, data, text: lines(), code: text(), isCut: random() < 0.3 })
}

test.each([20, 21, 40, 59, 60, 80, 120, 500])('at %d cells no line is wider, with any outcome', (width) => {
  const random = rng(width)
  for (let i = 0; i < rounds(40, 150); i++) {
    const outcome = anyOutcome(random)
    const color = choice<ColorDepth>(random, [0, 1])
    const lines = drawOutcome(outcome, penOf(width, color, random() < 0.8))
    for (const line of lines) {
      const plain = color === 0 ? line : bare(line)
      expect(plain).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(countCells(plain), JSON.stringify([outcome, plain])).toBeLessThanOrEqual(width)
    }
  }
})
