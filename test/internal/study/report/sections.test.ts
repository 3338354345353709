import { expect, it } from 'vitest'
import { joinSections, sectionsOf } from '../../../../internal/study/report/sections.ts'

it('detects sections in any order and formatting', () => {
  const text = [
    'before',
    '# Findings',
    'one',
    '## A theme',
    'two',
    '## **Answer:**',
    'more',
    '```',
    '# Gaps',
    '```',
    '## Gaps ##',
    '- none known',
  ].join('\n')
  expect(sectionsOf(text)).toEqual({
    Answer: 'before\nmore\n```\n# Gaps\n```',
    Findings: 'one\n### A theme\ntwo',
    Contradictions: '',
    Gaps: '- none known',
  })
})

it('writes what it reads', () => {
  const sections = { Answer: 'yes', Findings: '- a', Contradictions: '', Gaps: 'x' }
  expect(sectionsOf(joinSections(sections))).toEqual({ ...sections, Contradictions: 'None.' })
})
