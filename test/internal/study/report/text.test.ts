import { expect, it } from 'vitest'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { renderText } from '../../../../internal/study/report/text.ts'
import { golden } from '../../../support/golden.ts'
import { hostile, reported } from '../../../support/study.ts'

const look = { width: 80, color: 0, unicode: true, ambiguous: 1, all: true, plain: false } as const

it('matches the stored text', () => {
  golden('study/report.txt', renderText(documentOf(reported()), look))
})

it.each([20, 40, 80, 200])('fits %i columns', (width) => {
  for (const state of [reported(), hostile()]) {
    const lines = renderText(documentOf(state), { ...look, width }).split('\n')
    expect(lines.filter((line) => countCells(line) > width)).toEqual([])
  }
})

it('steers no terminal', () => {
  expect(renderText(documentOf(hostile()), look)).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/)
})

it('draws reports beyond the limits of one spec', () => {
  const state = reported()
  const items = Array.from({ length: 3000 }, (_, i) => `- finding ${i} [C1.1]`).join('\n')
  state.report = { markdown: `## Answer\n\nyes [C1.1]\n\n## Findings\n\n${items}`, uncited: 0 }
  expect(renderText(documentOf(state), look)).toContain('finding 2999')
})
