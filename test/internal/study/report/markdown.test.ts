import { expect, it } from 'vitest'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { renderMarkdown } from '../../../../internal/study/report/markdown.ts'
import { golden } from '../../../support/golden.ts'
import { hostile, reported } from '../../../support/study.ts'

it('matches the stored page', () => {
  golden('study/report.md', renderMarkdown(documentOf(reported())))
})

it('makes nothing of foreign text but text', () => {
  const text = renderMarkdown(documentOf(hostile()))
    .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
    .replace(/(?<!`)(`+)(?!`).*?[^`]\1(?!`)/g, '')
  expect(text).not.toMatch(/(?<!\\)<script/)
  expect(text).not.toContain('![')
  expect(text).not.toContain('](')
  expect(text).not.toMatch(/[\x1b\x07\u202e]/)
})

it('marks claims that are not verified', () => {
  const state = reported()
  state.verdicts.set('C1.1', {
    claim: 'C1.1',
    verified: false,
    reason: 'quote_missing',
    sourceChanged: false,
  })
  const text = renderMarkdown(documentOf(state))
  expect(text).toContain('[1, not verified]')
  expect(text).toContain('C1.1, not verified: quote_missing:')
})
