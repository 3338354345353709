import { expect, it } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import {
  describeEnd,
  formatShare,
  headFacts,
  isFolded,
  listCommands,
  listSkipped,
  listSpending,
  listUndone,
  listWarnings,
  summarizeQuotes,
} from '../../../../internal/study/report/facts.ts'
import { reported } from '../../../support/study.ts'

it('always describes a model that is not a language model', () => {
  expect(headFacts(documentOf(reported()))).toContainEqual([
    'Model',
    'builtin/extract (deterministic extraction, not a language model)',
  ])
})

it('warns of reasons that make a result partial', () => {
  const state = reported()
  state.report = { markdown: '', uncited: 0, failed: 'server: 503' }
  state.verdicts.clear()
  expect(listWarnings(documentOf(state))).toEqual([
    'Partial result (gaps): part of the question is open.',
    'aggregator failed: server error: 503',
    'Citation accuracy is 0.00, below the threshold of 0.95.',
  ])
  state.status = 'failed'
  expect(listWarnings(documentOf(state))[0]).toBe('This study failed (gaps): the following is not a result.')
  state.reason = 'no_evidence'
  expect(listWarnings(documentOf(state))[0]).toBe(
    'Nothing found: no passage contains enough of the question. The following is not an answer.',
  )
})

it('lists everything that was not done', () => {
  const state = reported({}, [
    makeStudyEntry('notice', { code: 'plan_fallback', text: 'the plan was no JSON' }),
  ])
  expect(listUndone(documentOf(state))).toEqual([
    't2 crash: partial (no evidence for a part)',
    'planned by rules: the plan was no JSON',
  ])
})

it('prints a command with correct shell quoting', () => {
  const question = `what's "up"? $(rm -rf .)`
  const [first] = listCommands(documentOf(reported({ question, budget: { tokens: 500 }, baseline: true })))
  expect(first).toContain(`anode study 'what'\\''s "up"? $(rm -rf .)' --baseline single`)
  expect(first).toContain('--budget-tokens 500')
})

it('lists limits only if there are any', () => {
  const model = { name: 'openai/gpt-5.4', kind: 'llm' } as const
  const pairs = Object.fromEntries(listSpending(documentOf(reported({ model, budget: { usd: 1 } }))))
  expect(pairs.Tokens).toBe('0')
  expect(pairs.Cost).toBe('$0.0000 of $1.0000')
})

it('reports what rules have read instead of their cost', () => {
  const read = { files: 1623, bytes: 16_200_000 }
  expect(listSpending(documentOf(reported({ read })))).toEqual([
    ['Read', '1,623 files, 16 MB, 17.0 s'],
    ['Evidence', '2 unique of 3'],
  ])
  expect(listSpending(documentOf(reported()))[0]).toEqual(['Read', '17.0 s'])
})

it.each([0, 3_500, 90_000])('counts the %i ms in which the files were read before', (ms) => {
  const read = { files: 2, bytes: 10_000 }
  const { created } = reported().head
  const surveyed = { at: created - ms, names: '' }
  const reading = `2 files, 10 KB, ${(17 + ms / 1000).toFixed(1)} s`
  expect(listSpending(documentOf(reported({ read, surveyed })))[0]).toEqual(['Read', reading])
  const model = { name: 'openai/gpt-5.4', kind: 'llm' } as const
  const pairs = Object.fromEntries(listSpending(documentOf(reported({ model, read, surveyed }))))
  expect(pairs['Wall time']).toMatch(new RegExp(`^${(17 + ms / 1000).toFixed(1)} s of `))
})

it('lists skipped files by reason, and only some of many', () => {
  const pictures = Array.from({ length: 14 }, (_, i) => ({ path: `${i}.png`, why: 'binary' }))
  const skipped = [...pictures, { path: 'log.txt', why: 'over 2 MiB' }]
  expect(listSkipped(documentOf(reported({ skipped, skippedMore: 2000 })))).toEqual([
    'binary (14): 0.png, 1.png, 2.png, 3.png, 4.png, 5.png, 6.png, 7.png, 8.png, 9.png, 10.png, 11.png, and 2 more',
    'over 2 MiB (1): log.txt',
    '2,000 more files not named here',
  ])
  expect(documentOf(reported({ skipped })).skipped).toEqual(skipped)
})

it('has a text for missing values', () => {
  expect(formatShare(null)).toBe('nothing to check')
  const { model } = documentOf(reported())
  expect(describeEnd({ end: 'not_run', reason: 'budget' }, model)).toBe('not run (no budget left)')
  expect(describeEnd({ end: 'done', reason: null }, model)).toBe('found')
  expect(describeEnd({ end: 'done', reason: null }, { name: 'm', kind: 'llm' })).toBe('done')
})

const quoteWith = (note: string) => ({ claim: 'C1.1', place: 'a.md:1', text: 'a', note })

it.each([
  [['verified'], '1 quote, found'],
  [['verified', 'in other words'], '2 quotes, found'],
  [['verified', 'not verified: quote not found in its source'], '2 quotes, 1 not verified'],
])('summarizes quotes with the notes %j', (notes, text) => {
  expect(summarizeQuotes({ quotes: notes.map(quoteWith) })).toBe(text)
})

it.each([
  ['Answer', false],
  ['Sources', false],
  ['Budget', true],
  ['Reproduce', true],
])('collapses %s: %s', (title, folded) => {
  expect(isFolded(title)).toBe(folded)
})
