// Finds the passages that answer a question: one pass over the files, counting only the words of the
// question.
import { choosePassages, type PassageHit } from './choose.ts'
import { type CountingRequest, countFiles } from './count-files.ts'
import { computeCoverage, type PassageCoverage } from './coverage.ts'
import { followNames } from './follow.ts'
import { chooseQuote, type PassageQuote } from './quote.ts'
import { createTermScanner } from './term-scanner.ts'
import { scorePassage, weighTerms } from './weigh.ts'
import { parseQuestion } from './words.ts'

interface PassageSearch extends CountingRequest {
  question: string
  /** Passages returned; two more at most that names in them lead to. */
  limit: number
}

/** A passage with the part of it that is worth quoting. */
export type QuotedHit = PassageHit & { best: PassageQuote }

export interface FoundPassages {
  /** Best first. */
  hits: QuotedHit[]
  coverage: PassageCoverage
  /** The words that were searched for. */
  words: string[]
  parts: readonly string[]
  read: { files: number; bytes: number; ms: number }
  skipped: { path: string; why: string }[]
  /** Why not everything was read. */
  cut?: string
}

/** Throws FailureError `cancelled`. The same files and question give the same hits. */
export async function findPassages(search: PassageSearch): Promise<FoundPassages> {
  const began = performance.now()
  const question = await parseQuestion(search.question)
  const pass = await countFiles(search, question)
  const weights = weighTerms(question, pass)
  const scored = pass.kept
    .map((passage) => ({ passage, score: scorePassage(passage, question, weights) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.passage.file - b.passage.file || a.passage.from - b.passage.from)
  const { files, skipped, cut, read } = pass
  const choice = { files, question, weights, scored, limit: search.limit, bytes: read.bytes }
  const chosen = await choosePassages(choice)
  const hits = search.limit > 1 ? [...chosen, ...(await followNames(chosen, choice))] : chosen
  const scan = createTermScanner(question)
  return {
    hits: hits.map((hit) => ({ ...hit, best: chooseQuote(hit, question, weights, scan) })),
    coverage: computeCoverage(question, weights, hits),
    words: question.terms.map(({ word }) => word),
    parts: question.parts,
    read: { ...read, ms: Math.round(performance.now() - began) },
    skipped,
    ...(cut !== undefined && { cut }),
  }
}
