// Search for the passages that answer a question: one pass over the files that counts
// only the question's words.
import { choosePassages, type PassageHit } from './choose.ts'
import { readFileText } from './count-file.ts'
import { type CountedFiles, type CountingRequest, countFiles } from './count-files.ts'
import { computeCoverage, type PassageCoverage } from './coverage.ts'
import { followNames } from './follow.ts'
import { describeLanguageGap, type QuestionLanguage } from './language.ts'
import { deniesAt } from './languages/wanted-answer.ts'
import type { PassageFile } from './passage.ts'
import { judgeParts } from './quotation/part-judgement.ts'
import { type QuotedHit, quoteEachPart } from './quotation/quote.ts'
import { scoreBestPart, weighByPart } from './rank/parts.ts'
import { linesOfText } from './split-file.ts'
import { createTermScanner, type ScanTerms } from './term-scanner.ts'
import { decideVerdict, listLostParts } from './verdict.ts'
import { type CountedPassage, holdsTerm, weighTerms } from './weigh.ts'
import { type ParsedQuestion, parseQuestion } from './words.ts'
import { isRefusal } from './yes-no/mention.ts'

export interface PassageSearch extends Omit<CountingRequest, 'text'> {
  question: string
  /** Largest number of passages. Names in them can add up to two more. */
  limit: number
}

export interface FoundPassages {
  /**
   * The passages, roughly best first. Passages that were added later, for one part of the question or for a
   * name in another passage, come last. A question with a denial such as "without" sorts all passages anew.
   */
  hits: QuotedHit[]
  coverage: PassageCoverage
  /**
   * One line for each word that occurs without a statement about it, such as in a URL. Empty unless the
   * question wants a yes or a no.
   */
  mentions: WordMention[]
  /** The words for which the search looked. */
  words: string[]
  parts: readonly string[]
  read: { files: number; bytes: number; ms: number }
  skipped: { path: string; why: string }[]
  /**
   * Reason why some files were not read: a search reads only a limited number of files and bytes. Undefined
   * if the limit was not reached.
   */
  cut?: string
  /** Notice that the files are in another language than the question. Not set if the verdict is `found`. */
  foreign?: string
}

/**
 * Finds passages. The same files and question give the same hits. Throws FailureError `cancelled`
 * if `signal` aborts.
 */
export async function findPassages(search: PassageSearch): Promise<FoundPassages> {
  const began = performance.now()
  const question = await parseQuestion(search.question)
  const pass = await countFiles({ ...search, text: search.question }, question)
  const weights = weighTerms(question, pass)
  const byPart = weighByPart(question, weights)
  const scored = pass.kept
    .map((passage) => ({ passage, score: scoreBestPart(passage, question, byPart) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.passage.file - b.passage.file || a.passage.from - b.passage.from)
  const { files, skipped, cut: limitNotice, read } = pass
  const choice = { files, question, weights, scored, limit: search.limit, bytes: read.bytes }
  const chosenHits = await choosePassages(choice)
  const near = withoutFarBelow(chosenHits)
  const hits = search.limit > 1 ? [...near, ...(await followNames(near, choice))] : near
  const scan = createTermScanner(question)
  const quoted = quoteEachPart(denyingFirst(hits, question, scan), question, weights, scan)
  const isAbsent = (term: number) => (pass.frequency[term] ?? 0) === 0 && !isInPaths(term, files, scan)
  const coverage = decideVerdict(
    computeCoverage(question, weights, hits),
    judgeParts(quoted, question, weights, scan),
    question,
    isAbsent,
  )
  const lost = coverage.verdict === 'partial' ? listLostParts(question, isAbsent) : new Set<number>()
  const foreign = coverage.verdict === 'found' ? undefined : await describeLanguages(question.language, files)
  return {
    hits: lost.size < question.parts.length ? quoted.filter((hit) => tellsOtherPart(hit, lost)) : quoted,
    coverage,
    mentions: await findMentions(coverage.mentioned, question, pass, scan),
    words: question.terms.map(({ word }) => word),
    parts: question.parts,
    read: { ...read, ms: Math.round(performance.now() - began) },
    skipped,
    cut: limitNotice,
    foreign,
  }
}

/**
 * Returns true if the passage says something about a part of the question that can be answered. `lost`
 * contains the parts that ask for a name that no file contains.
 */
const tellsOtherPart = ({ part, best, second }: QuotedHit, lost: ReadonlySet<number>): boolean =>
  !lost.has(part) || [...(best.tells ?? []), ...(second?.tells ?? [])].some((one) => !lost.has(one))

/**
 * Smallest share of the best score that a passage needs, because lower ones are noise. In both bundled test
 * suites, with 139 expected answers, 0.05 loses none of them and 0.1 loses one.
 */
const leastShare = 0.05

/**
 * Drops passages whose score is far below the best one. The best passage for a part or a word always stays.
 */
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

/** Factor for the score of a passage that denies the same word as the question, such as "without a key". */
const denialWorth = 2.5

/** Moves passages up that deny the same words as the question, as in "without a key". */
function denyingFirst(
  hits: readonly PassageHit[],
  { terms }: ParsedQuestion,
  scan: ScanTerms,
): readonly PassageHit[] {
  if (!terms.some(({ isDenied }) => isDenied)) return hits
  const denies = ({ text }: PassageHit) => {
    const places: number[] = []
    scan(text, ({ at, term }) => {
      if (terms[term]?.isDenied) places.push(at)
    })
    return deniesAt(text, places)
  }
  return hits
    .map((hit) => (denies(hit) ? { ...hit, score: Math.round(hit.score * denialWorth * 100) / 100 } : hit))
    .sort((a, b) => b.score - a.score)
}

/**
 * Returns true if the path of one of the files contains the term, which is the index of a word
 * of the question.
 */
function isInPaths(term: number, files: readonly PassageFile[], scan: ScanTerms): boolean {
  let isHere = false
  for (const { path } of files) {
    scan(path, (place) => {
      isHere ||= place.term === term
    })
    if (isHere) return true
  }
  return false
}

/**
 * Number of files of which the first `sampledChars` characters are read to detect the language of all files.
 */
const sampledFiles = 20
const sampledChars = 2_000

/**
 * Returns a notice if the files are in another language than the question, else undefined. It reads the
 * beginnings of the first files in the reading order, which are mostly prose.
 */
async function describeLanguages(
  questionLanguage: QuestionLanguage,
  files: readonly PassageFile[],
): Promise<string | undefined> {
  const texts = await Promise.all(
    files.slice(0, sampledFiles).map(async (file) => {
      const read = await readFileText(file)
      return 'skipped' in read ? '' : read.text.slice(0, sampledChars)
    }),
  )
  return describeLanguageGap(questionLanguage, texts.join('\n'))
}

/** A line where a word of the question occurs without a statement about it, such as in a URL or a test. */
interface WordMention {
  word: string
  path: string
  /** Number of the line, from 1. */
  line: number
  /** True if the line says that the thing that the word names is refused or not supported. */
  refuses: boolean
}

/** Largest number of passages that are read to find a line with one word. */
const maxRead = 6

/**
 * Returns one place for each of the words. A word is left out if no line of the first `maxRead` passages with
 * it has it and can be read.
 */
async function findMentions(
  words: readonly string[],
  question: Pick<ParsedQuestion, 'terms'>,
  { kept: passages, files }: Pick<CountedFiles, 'kept' | 'files'>,
  scan: ScanTerms,
): Promise<WordMention[]> {
  const out: WordMention[] = []
  for (const word of words) {
    const term = question.terms.findIndex((one) => one.word === word)
    const near = passages.filter((passage) => holdsTerm(passage, term) > 0).sort(byWeight(term))
    let best: WordMention | undefined
    for (const passage of near.slice(0, maxRead)) {
      const mention = await mentionIn(passage, files[passage.file] as PassageFile, { word, term, scan })
      if (mention && (!best || mention.refuses)) best = mention
      if (mention?.refuses) break
    }
    if (best) out.push(best)
  }
  return out
}

/**
 * Returns an order of passages: first those in which the term is never stated clearly, such as refusals in
 * tests, then by the weight of the file.
 */
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
