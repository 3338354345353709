import { describe, expect, it } from 'vitest'
import { createScriptModel } from '../../../../internal/model/script-model.ts'
import { scoreBareModel, scoreParagraphs } from '../../../../internal/service/study-eval/evaluation-sides.ts'
import type { EvalCase } from '../../../../internal/study-eval/suite.ts'
import { scratchWith } from '../../../support/scratch.ts'

const fact = (id: string, text: string) => ({
  id,
  question: 'a',
  required: true,
  stated: [{ path: 'a.md', text }],
})
const question: EvalCase = {
  id: 'a',
  question: 'How is the kiln fired, and how does the glaze dry?',
  corpus: { name: 'x', sources: [] },
  known: {
    facts: [fact('fired', 'fired at 900 degrees'), fact('dry', 'dry for two days')],
    contradictions: [],
    injections: [],
    dead_links: [],
  },
}
const files = {
  'a.md': 'The kiln is fired at 900 degrees.\n\nThe glaze is left to dry for two days.\n',
  'node_modules/b.md': 'kiln '.repeat(100),
  '.hidden.md': 'kiln glaze '.repeat(100),
  'picture.bin': Buffer.from([0, 1, 2, 3, 0, 255]),
}

describe('plain search', () => {
  it('finds facts with its letter limit, in the files that a study reads', async () => {
    const root = scratchWith(files)
    expect(await scoreParagraphs(question, root, 200)).toMatchObject({ facts: 2, found: 2, letters: 71 })
    expect(await scoreParagraphs(question, root, 40)).toMatchObject({ found: 1, letters: 40 })
    expect(await scoreParagraphs(question, root, 0)).toMatchObject({ found: 0, letters: 0 })
  })
})

describe('the model without tools', () => {
  const ask = (lines: string) => {
    const dir = scratchWith({ 'script.jsonl': lines })
    return scoreBareModel(question, createScriptModel('script.jsonl', dir), new AbortController().signal)
  }

  it('finds facts in its answer', async () => {
    const text = 'It is fired at 900 degrees; I do not know of the glaze.'
    expect(await ask(JSON.stringify({ text, usage: { in: 20, out: 9, usd: 0.25 } }))).toEqual({
      facts: 2,
      found: 1,
      letters: text.length,
      tokens: 29,
      usd: 0.25,
    })
  })

  it('finds nothing without a response', async () => {
    expect(await ask('{"error":{"status":400,"message":"no"}}')).toMatchObject({ found: 0, letters: 0 })
  })
})
