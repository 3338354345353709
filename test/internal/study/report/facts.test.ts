import { expect, it } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import {
  describeEnd,
  formatShare,
  headFacts,
  listCommands,
  listSpending,
  listUndone,
  listWarnings,
} from '../../../../internal/study/report/facts.ts'
import { reported } from '../../../support/study.ts'

it('always says what a model that is none is', () => {
  expect(headFacts(documentOf(reported()))).toContainEqual([
    'Model',
    'builtin/extract (deterministic extraction, not a language model)',
  ])
})

it('warns of what makes a result less than one', () => {
  const state = reported()
  state.report = { markdown: '', uncited: 0, failed: 'server: 503' }
  state.verdicts.clear()
  expect(listWarnings(documentOf(state))).toEqual([
    'Partial result (gaps): part of the question is open.',
    'aggregator failed: server: 503',
    'Citation accuracy is 0.00, below the threshold of 0.95.',
  ])
  state.status = 'failed'
  expect(listWarnings(documentOf(state))[0]).toBe('This study failed (gaps): what follows is no result.')
})

it('names everything that was not done', () => {
  const state = reported({}, [
    makeStudyEntry('notice', { code: 'plan_fallback', text: 'the plan was no JSON' }),
  ])
  expect(listUndone(documentOf(state))).toEqual([
    't2 crash: partial (no_evidence_for_part)',
    'plan_fallback: the plan was no JSON',
  ])
})

it('gives a command that a shell takes as it was meant', () => {
  const question = `what's "up"? $(rm -rf .)`
  const [first] = listCommands(documentOf(reported({ question, budget: { tokens: 500 }, baseline: true })))
  expect(first).toContain(`anode study 'what'\\''s "up"? $(rm -rf .)' --baseline single`)
  expect(first).toContain('--budget-tokens 500')
})

it('speaks of limits only where there are some', () => {
  const pairs = Object.fromEntries(listSpending(documentOf(reported({ budget: { usd: 1 } }))))
  expect(pairs.Tokens).toBe('0')
  expect(pairs.Cost).toBe('$0.0000 of $1.0000')
})

it('has words for what is not there', () => {
  expect(formatShare(null)).toBe('nothing to check')
  expect(describeEnd({ end: 'not_run', reason: 'budget' })).toBe('not run (budget)')
})
