// The sides that a study is compared with besides a single worker: plain BM25, and the model without tools.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { contentKind } from '../../base/text/text-encoding.ts'
import type { Model } from '../../model/model.ts'
import { rankParagraphsBm25 } from '../../study/eval/baseline.ts'
import { proseStates, quotationStates } from '../../study/eval/fact-match.ts'
import { answerLetters } from '../../study/eval/score.ts'
import type { EvalCase } from '../../study/eval/suite.ts'
import type { PassageScore } from '../../study/eval/summary.ts'

/** Larger files are not read by any tool of a study either. */
const maxFileBytes = 2 << 20

/** One search for the whole question, cut at the letters that the study's quotations have. */
export function scoreParagraphs({ question, known }: EvalCase, root: string, letters: number): PassageScore {
  const paragraphs = rankParagraphsBm25(readTexts(root, ''), question, letters)
  const required = known.facts.filter((fact) => fact.required)
  const found = required.filter((fact) =>
    paragraphs.some(({ path, text }) => quotationStates(text, path, fact)),
  )
  const length = paragraphs.reduce((sum, { text }) => sum + text.length, 0)
  return { facts: required.length, found: found.length, letters: length, tokens: 0, usd: 0 }
}

function* readTexts(root: string, below: string): Generator<{ path: string; text: string }> {
  const entries = readdirSync(join(root, below), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* readTexts(root, path)
    if (!entry.isFile() || statSync(join(root, path)).size > maxFileBytes) continue
    const bytes = readFileSync(join(root, path))
    if (contentKind(bytes) === 'text') yield { path, text: bytes.toString('utf8') }
  }
}

const instruction =
  'Answer the question from what you know, in at most 200 words. Say plainly what you do not know.'

/** What the model says without reading anything. A reply that fails has found nothing. */
export async function scoreBareModel(
  { question, known }: EvalCase,
  model: Model,
  signal: AbortSignal,
): Promise<PassageScore> {
  let text = ''
  let [tokens, usd]: [number, number | null] = [0, 0]
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
  const required = known.facts.filter((fact) => fact.required)
  const found = required.filter((fact) => proseStates(text.slice(0, answerLetters), fact))
  return { facts: required.length, found: found.length, letters: text.length, tokens, usd }
}
