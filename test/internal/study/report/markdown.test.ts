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
  expect(text).toContain('C1.1, not verified: quote not found in its source:')
})

it('collapses the facts about the study and the quotes of each source', () => {
  const text = renderMarkdown(documentOf(reported()))
  const [shown = '', about = ''] = text.split('<details>\n<summary>About this study</summary>\n\n')
  expect(shown).not.toMatch(/^## (?:Study|Failed and not run|Budget|Reproduce)$/m)
  for (const title of ['Study', 'Failed and not run', 'Budget', 'Reproduce'])
    expect(about).toContain(`## ${title}\n`)
  expect(about.trimEnd().endsWith('</details>')).toBe(true)
  const opened = shown.slice(shown.indexOf('## Sources'))
  expect(opened.match(/^ {3}<details>$/gm)).toHaveLength(2)
  expect(opened.replace(/<details>[\s\S]*?<\/details>/g, '')).not.toContain('verified')
})

it('collapses nothing of an answer alone', () => {
  expect(renderMarkdown(documentOf(reported()), 'answer')).not.toContain('<details>')
  const open = renderMarkdown(documentOf(reported()), 'whole', false)
  expect(open).not.toMatch(/<\/?(?:details|summary)>/)
  const words = (report: string) =>
    report
      .replace(/<details>\n *<summary>.*?<\/summary>|<\/details>/g, '')
      .split(/\s+/)
      .join(' ')
  expect(words(open)).toBe(words(renderMarkdown(documentOf(reported()))))
})
