// Finds the passages that answer a question: one pass over the files, counting only the words of the
// question.
import { defined } from '../base/defined.ts'
import { choosePassages, type PassageHit } from './choose.ts'
import { readFileText } from './count-file.ts'
import { type CountingRequest, countFiles } from './count-files.ts'
import { computeCoverage, type PassageCoverage } from './coverage.ts'
import { followNames } from './follow.ts'
import { describeLanguageGap, type QuestionLanguage } from './language.ts'
import type { PassageFile } from './passage.ts'
import { chooseQuote, type PassageQuote } from './quote.ts'
import { createTermScanner } from './term-scanner.ts'
import { scorePassage, weighTerms } from './weigh.ts'
import { parseQuestion } from './words.ts'

export interface PassageSearch extends CountingRequest {
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
  /** That question and files are in two languages, where little was found. */
  foreign?: string
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
  const coverage = computeCoverage(question, weights, hits)
  const foreign = coverage.verdict === 'found' ? undefined : await describeLanguages(question.language, files)
  return {
    hits: hits.map((hit) => ({ ...hit, best: chooseQuote(hit, question, weights, scan) })),
    coverage,
    words: question.terms.map(({ word }) => word),
    parts: question.parts,
    read: { ...read, ms: Math.round(performance.now() - began) },
    skipped,
    ...defined({ cut, foreign }),
  }
}

/** Files and characters of each that say in which language the whole is written. */
const sampledFiles = 20
const sampledChars = 2_000

/** Prose comes first among `files`; undefined where it is in the language of the question. */
async function describeLanguages(
  asked: QuestionLanguage,
  files: readonly PassageFile[],
): Promise<string | undefined> {
  const texts = await Promise.all(
    files.slice(0, sampledFiles).map(async (file) => {
      const read = await readFileText(file)
      return 'skipped' in read ? '' : read.text.slice(0, sampledChars)
    }),
  )
  return describeLanguageGap(asked, texts.join('\n'))
}
