// Finds the passages that answer a question: one pass over the files, counting only the words of the
// question.
import { choosePassages, type PassageHit } from './choose.ts'
import { readFileText } from './count-file.ts'
import { type CountedFiles, type CountingRequest, countFiles } from './count-files.ts'
import { computeCoverage, type PassageCoverage } from './coverage.ts'
import { followNames } from './follow.ts'
import { describeLanguageGap, type QuestionLanguage } from './language.ts'
import type { PassageFile } from './passage.ts'
import { givesAmount } from './quotation/amount.ts'
import { type QuotedHit, quoteEachPart } from './quotation/quote-parts.ts'
import { isAboutPart, listTellingParts, scoreBestPart, weighByPart } from './rank/parts.ts'
import { linesOfText } from './split-file.ts'
import { createTermScanner, type ScanTerms } from './term-scanner.ts'
import { type CountedPassage, holdsTerm, weighTerms } from './weigh.ts'
import { type ParsedQuestion, parseQuestion } from './words.ts'
import { isRefusal } from './yes-no/mention.ts'

export interface PassageSearch extends CountingRequest {
  question: string
  /** Passages returned; two more at most that names in them lead to. */
  limit: number
}

export interface FoundPassages {
  /** Best first. */
  hits: QuotedHit[]
  coverage: PassageCoverage
  /** Where words stand that nothing states, where a yes or a no is wanted. */
  mentions: WordMention[]
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
  const byPart = weighByPart(question, weights)
  const scored = pass.kept
    .map((passage) => ({ passage, score: scoreBestPart(passage, question, byPart) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.passage.file - b.passage.file || a.passage.from - b.passage.from)
  const { files, skipped, cut, read } = pass
  const choice = { files, question, weights, scored, limit: search.limit, bytes: read.bytes }
  const chosen = await choosePassages(choice)
  const near = withoutFarBelow(chosen)
  const hits = search.limit > 1 ? [...near, ...(await followNames(near, choice))] : near
  const scan = createTermScanner(question)
  const quoted = quoteEachPart(hits, question, weights, scan)
  const judged = withOpenParts(computeCoverage(question, weights, hits), question.parts, quoted.open)
  const coverage = lacksAmount(quoted.hits, question, weights, scan) ? withoutAmount(judged) : judged
  const foreign = coverage.verdict === 'found' ? undefined : await describeLanguages(question.language, files)
  return {
    hits: quoted.hits,
    coverage,
    mentions: await findMentions(coverage.mentioned, question, pass, scan),
    words: question.terms.map(({ word }) => word),
    parts: question.parts,
    read: { ...read, ms: Math.round(performance.now() - began) },
    skipped,
    cut,
    foreign,
  }
}

/**
 * A passage that scores less than this share of the best one is noise. Measured over both bundled suites: at
 * 0.05 the shown passages lose none of the 139 facts, at 0.1 one.
 */
const leastShare = 0.05

/** Keeps a passage far below the best one only for a part or a word that no better one has. */
function withoutFarBelow(hits: readonly PassageHit[]): PassageHit[] {
  const floor = Math.max(0, ...hits.map(({ score }) => score)) * leastShare
  const words = new Set<string>()
  const parts = new Set<number>()
  return hits.filter(({ score, matched, part }) => {
    const adds = !parts.has(part) || matched.some((word) => !words.has(word))
    parts.add(part)
    for (const word of matched) words.add(word)
    return score >= floor || adds
  })
}

/** A part that no quotation is about stays open, however much of the whole is held. */
function withOpenParts(
  coverage: PassageCoverage,
  parts: readonly string[],
  open: readonly number[],
): PassageCoverage {
  if (coverage.verdict === 'nothing' || open.length === 0) return coverage
  return { ...coverage, verdict: 'partial', open: open.map((part) => parts[part] ?? '') }
}

/** A number that is asked for and stands in no quotation is missing as a word would be. */
function withoutAmount(coverage: PassageCoverage): PassageCoverage {
  if (coverage.verdict !== 'found') return coverage
  return { ...coverage, verdict: 'partial', lacksNumber: true }
}

/** Whether a part asks for an amount, and no quotation of a passage about it gives one. */
function lacksAmount(
  hits: readonly QuotedHit[],
  question: ParsedQuestion,
  weights: readonly number[],
  scan: ScanTerms,
): boolean {
  return listTellingParts(question, weights).some((part) => {
    const asked = { wants: { ...question.wants, amount: question.amounts[part.part] }, terms: question.terms }
    const about = hits.filter(({ counted }) => isAboutPart(counted, part))
    return (
      asked.wants.amount !== undefined && !about.some((hit) => givesAmount(linesOfQuotes(hit), asked, scan))
    )
  })
}

const linesOfQuotes = ({ text, from, best, second }: QuotedHit): string[] =>
  [best, ...(second ? [second] : [])].flatMap(({ line, end_line }) =>
    text.split('\n').slice(line - from, end_line - from + 1),
  )

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

/** A place that names a word of the question without saying that it is so. */
interface WordMention {
  word: string
  path: string
  /** 1-based. */
  line: number
  /** The words around it refuse what it names. */
  refuses: boolean
}

/** Passages that are looked at for one word. */
const maxRead = 6

/** One place for each of `words`; none where its file has gone. */
async function findMentions(
  words: readonly string[],
  question: Pick<ParsedQuestion, 'terms'>,
  { kept, files }: Pick<CountedFiles, 'kept' | 'files'>,
  scan: ScanTerms,
): Promise<WordMention[]> {
  const out: WordMention[] = []
  for (const word of words) {
    const term = question.terms.findIndex((one) => one.word === word)
    const near = kept.filter((passage) => holdsTerm(passage, term) > 0).sort(byWeight(term))
    let best: WordMention | undefined
    for (const passage of near.slice(0, maxRead)) {
      const found = await mentionIn(passage, files[passage.file] as PassageFile, { word, term, scan })
      if (found && (!best || found.refuses)) best = found
      if (found?.refuses) break
    }
    if (best) out.push(best)
  }
  return out
}

/** What refuses comes first, then what weighs most. */
const byWeight = (term: number) => (a: CountedPassage, b: CountedPassage) =>
  (a.stated?.[term] === 0 ? 0 : 1) - (b.stated?.[term] === 0 ? 0 : 1) || b.fileWeight - a.fileWeight

async function mentionIn(
  passage: CountedPassage,
  file: PassageFile,
  { word, term, scan }: { word: string; term: number; scan: ScanTerms },
): Promise<WordMention | undefined> {
  const read = await readFileText(file)
  if (!('text' in read)) return undefined
  const places = linesOfText(read.text)
    .slice(passage.from - 1, passage.to)
    .flatMap((text, i) => {
      let isHere = false
      scan(text, (place) => {
        isHere ||= place.term === term
      })
      return isHere ? [{ text, line: passage.from + i }] : []
    })
  const one = places.find(({ text }) => isRefusal(text)) ?? places[0]
  if (!one) return undefined
  return { word, path: file.path, line: one.line, refuses: isRefusal(one.text) }
}
