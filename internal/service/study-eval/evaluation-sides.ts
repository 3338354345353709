// Two methods that a study is compared with: a plain BM25 text search, and the model without tools.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '../../model/model.ts'
import { rankParagraphsBm25 } from '../../retrieval/baseline.ts'
import type { PassageFile } from '../../retrieval/passage.ts'
import { proseStates, quotationStates } from '../../study-eval/fact-match.ts'
import { answerLetters } from '../../study-eval/score.ts'
import type { EvalCase } from '../../study-eval/suite.ts'
import type { PassageScore } from '../../study-eval/summary.ts'

/**
 * Scores the paragraphs that one search for the whole question finds. Only the first `letters` characters of
 * the results count; the caller passes the average total length of a study's quotes.
 */
export async function scoreParagraphs(
  { question, known: knownAnswers }: EvalCase,
  root: string,
  letters: number,
): Promise<PassageScore> {
  const paragraphs = await rankParagraphsBm25([...listTexts(root, '')], question, letters)
  const required = knownAnswers.facts.filter((fact) => fact.required)
  const foundFacts = required.filter((fact) =>
    paragraphs.some(({ path, text }) => quotationStates(text, path, fact)),
  )
  const [best] = paragraphs
  const first = best && knownAnswers.facts.some((fact) => quotationStates(best.text, best.path, fact)) ? 1 : 0
  const length = paragraphs.reduce((sum, { text }) => sum + text.length, 0)
  return { facts: required.length, found: foundFacts.length, first, letters: length, tokens: 0, usd: 0 }
}

/**
 * Yields all files, without hidden ones and installed packages. Files that are not text are skipped when
 * they are read.
 */
function* listTexts(root: string, below: string): Generator<PassageFile> {
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* listTexts(root, path)
    else if (entry.isFile()) yield { path, real: join(root, path) }
  }
}

const instruction =
  'Answer the question from what you know, in at most 200 words. Say plainly what you do not know.'

/**
 * Scores the first `answerLetters` characters of the model's answer without any files. Of a failed response,
 * the text before the failure counts.
 */
export async function scoreBareModel(
  { question, known: knownAnswers }: EvalCase,
  model: Model,
  signal: AbortSignal,
): Promise<PassageScore> {
  let text = ''
  let tokens = 0
  let usd: number | null = 0
  const messages = [
    { role: 'system', content: instruction },
    { role: 'user', content: question },
  ] as const
  for await (const event of model.stream({ messages, tools: [], maxOutput: 1_000 }, signal)) {
    if (event.type === 'discarded') text = ''
    if (event.type === 'text') text += event.text
    if (event.type === 'usage') {
      tokens += event.input + event.output
      usd = usd === null || event.usd === null ? null : usd + event.usd
    }
  }
  const required = knownAnswers.facts.filter((fact) => fact.required)
  const foundFacts = required.filter((fact) => proseStates(text.slice(0, answerLetters), fact))
  return { facts: required.length, found: foundFacts.length, letters: text.length, tokens, usd }
}
