// Selection of the scored passages to show, and the reading of their text: no text twice, and a passage for
// each part of the question.

import { once } from '../base/once.ts'
import { readFileText } from './count-file.ts'
import { placeOfLines } from './document-text.ts'
import { kindOfFile, withoutTemplate } from './file-kind.ts'
import { maxPassageChars, type PassageFile, type PassageKind, type TextPassage } from './passage.ts'
import {
  type FramedUnit,
  frameOf,
  listQuoteUnits,
  type QuotableLine,
  type QuoteUnit,
} from './quotation/quote-units.ts'
import { isAboutPart, listTellingParts, type WeighedPart, weighByPart } from './rank/parts.ts'
import { linesOfText, splitFile } from './split-file.ts'
import { type CountedPassage, closeShare, coveredShare, holdsTerm, scorePassage } from './weigh.ts'
import type { ParsedQuestion } from './words.ts'

export interface PassageHit {
  path: string
  from: number
  to: number
  heading: string
  symbol: string
  kind: PassageKind
  score: number
  /**
   * Words of the question that the passage contains, themselves or only as a synonym. In a passage that was
   * added because of a name (see `follows`), only that name.
   */
  matched: string[]
  /**
   * Lines of the passage, unchanged. Of a text that is more than twice as long as a passage may be, only the
   * part around the first matching word.
   */
  text: string
  /**
   * Position in a document as the user knows it, for example a page. In a document, `from` and `to` count
   * lines of the extracted text, which no user sees.
   */
  place?: string
  /** Notices about the file of the passage: its encoding is a guess, or parts of it are not shown. */
  notes?: readonly string[]
  /** Index of the part of the question that the passage is about. */
  part: number
  /** A name in an earlier passage, because of which this passage was added. */
  follows?: string
  counted: CountedPassage
  /** Units of code, such as definitions, in and around the passage. Undefined if the file is not code. */
  units?: readonly FramedUnit[]
  /** Lines outside of the passage that belong to its units, such as the signature of a long function. */
  frame?: readonly QuotableLine[]
}

interface ScoredPassage {
  passage: CountedPassage
  score: number
}

export interface PassageChoice {
  files: readonly PassageFile[]
  question: ParsedQuestion
  weights: readonly number[]
  /** Passages sorted by score, best first. */
  scored: readonly ScoredPassage[]
  limit: number
  /**
   * Total size in bytes of the files that were read. Names in passages are only looked up in small enough
   * sets of files, because that reads the files again.
   */
  bytes: number
}

/** Factor for the score of each further passage of a file, relative to the previous passage of that file. */
const perFile = 0.93

export async function choosePassages(choice: PassageChoice): Promise<PassageHit[]> {
  const reader = createPassageReader(choice.files)
  const pool = choice.scored.slice(0, Math.max(60, choice.limit * 4))
  const hits: PassageHit[] = []
  const seenTexts = new Set<string>()
  const perPath = new Map<number, number>()
  const candidates = [...pool]
  const isTwin = createTwinCheck()
  const twins: PassageHit[] = []
  while (hits.length < choice.limit && candidates.length > 0) {
    const at = bestOf(candidates, perPath)
    const [one] = candidates.splice(at, 1) as [ScoredPassage]
    const hit = await toHit(one, choice, reader)
    const text = hit?.text.replace(/\s+/g, ' ') ?? ''
    if (!hit || seenTexts.has(text)) continue
    seenTexts.add(text)
    perPath.set(one.passage.file, (perPath.get(one.passage.file) ?? 0) + 1)
    if (isTwin(hit.text)) twins.push(hit)
    else hits.push(hit)
  }
  hits.push(...twins.slice(0, choice.limit - hits.length))
  await fillParts(hits, choice, reader)
  return hits
}

function bestOf(candidates: readonly ScoredPassage[], perPath: ReadonlyMap<number, number>): number {
  let best = 0
  let bestScore = -1
  for (const [i, { passage, score }] of candidates.entries()) {
    if (score < bestScore) break
    const adjustedScore = score * perFile ** (perPath.get(passage.file) ?? 0)
    if (adjustedScore > bestScore) {
      best = i
      bestScore = adjustedScore
    }
  }
  return best
}

/**
 * Adds a passage for each part of the question that no passage is about: the best one about the
 * part, else the best one with one of its words. If the list is full, another passage is removed
 * first; see `removeSpare`.
 */
async function fillParts(hits: PassageHit[], choice: PassageChoice, reader: PassageReader): Promise<void> {
  const { question, weights, scored } = choice
  const parts = listTellingParts(question, weights)
  if (parts.length < 2) return
  const byPart = weighByPart(question, weights)
  for (const tellingPart of parts) {
    if (hits.some(({ counted }) => isAboutPart(counted, tellingPart))) continue
    const holding = scored.filter(({ passage }) => coveredShare(passage, tellingPart.weights) > 0)
    const about = holding.filter(({ passage }) => isAboutPart(passage, tellingPart))
    let best: ScoredPassage | undefined
    for (const { passage } of about.length > 0 ? about : holding) {
      const score = scorePassage(passage, question, byPart[tellingPart.part] ?? tellingPart.weights)
      if (score > (best?.score ?? 0)) best = { passage, score }
    }
    const hit = best && (await toHit(best, choice, reader))
    if (!hit || hits.some(({ path, from }) => path === hit.path && from === hit.from)) continue
    if (hits.length >= choice.limit) removeSpare(hits, parts)
    hits.push({ ...hit, part: tellingPart.part })
  }
}

/**
 * Removes the last passage whose parts of the question all have another passage. Without such a passage,
 * removes the last one.
 */
function removeSpare(hits: PassageHit[], parts: readonly WeighedPart[]): void {
  const isSpare = (hit: PassageHit) =>
    parts.every(
      (part) =>
        !isAboutPart(hit.counted, part) ||
        hits.some((other) => other !== hit && isAboutPart(other.counted, part)),
    )
  const at = hits.findLastIndex(isSpare)
  hits.splice(at < 0 ? hits.length - 1 : at, 1)
}

/** Reads the passage. Returns undefined if the file has changed or disappeared. */
async function toHit(
  { passage, score }: ScoredPassage,
  { files, question, weights }: PassageChoice,
  reader: PassageReader,
): Promise<PassageHit | undefined> {
  const read = await reader(passage.file)
  const textPassage = read?.passages.find(({ from, to }) => from === passage.from && to === passage.to)
  if (!read || !textPassage) return undefined
  const framed = passage.kind === 'code' ? frameOf(read.lines, read.units(), textPassage) : undefined
  const matched = question.terms.filter(({ weight }, i) => weight > 0 && holdsTerm(passage, i) > 0)
  return {
    path: (files[passage.file] as PassageFile).path,
    ...textPassage,
    kind: passage.kind,
    score: Math.round(score * 100) / 100,
    matched: matched.map(({ word }) => word),
    text: clipLongLine(
      read.lines.slice(textPassage.from - 1, textPassage.to).join('\n'),
      matched.map(({ word }) => word),
    ),
    place: read.places ? placeOfLines(read.places, textPassage.from, textPassage.to) : undefined,
    notes: read.notes,
    part: partOf(passage, question, weights),
    counted: passage,
    units: framed?.units,
    frame: framed?.frame,
  }
}

/**
 * Returns the text unchanged if it is at most twice as long as a passage. Of a longer text, such as one very
 * long line, returns the characters around the first matching word, at most as many as a passage has. Without
 * a matching word, returns its last 200 characters.
 */
function clipLongLine(text: string, words: readonly string[]): string {
  if (text.length <= 2 * maxPassageChars) return text
  const folded = text.toLowerCase()
  const places = words.map((word) => folded.indexOf(word.toLowerCase().slice(0, 5))).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 200)
  return text.slice(from, from + maxPassageChars)
}

/**
 * Returns the index of the part of the question with the most weight close together in the passage. If
 * several have as much, the part with the most weight in the whole passage counts.
 */
function partOf(passage: CountedPassage, question: ParsedQuestion, weights: readonly number[]): number {
  let best = 0
  let bestShare = -1
  for (const { part, weights: partWeights } of listTellingParts(question, weights)) {
    const share = closeShare(passage, partWeights) + coveredShare(passage, partWeights) / 100
    if (share > bestShare) {
      best = part
      bestShare = share
    }
  }
  return best
}

/**
 * Smallest length of a line that is compared. Shorter lines, such as table heads, occur in passages
 * with different content.
 */
const minLineChars = 24

/**
 * Share of the characters in a passage's long lines that earlier passages contain. From this share on, the
 * passage adds no information and is shown only if the list has room.
 */
const twinShare = 0.7

/**
 * Returns a function that tells whether a passage repeats earlier ones: known lines make up at least
 * `twinShare` of the characters in its long lines, and no new long line has a digit. If not, the function
 * remembers the long lines of the passage.
 */
export function createTwinCheck(): (text: string) => boolean {
  const knownLines = new Set<string>()
  return (text) => {
    const lines = text
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter(({ length }) => length >= minLineChars)
    const all = lines.reduce((sum, { length }) => sum + length, 0)
    const isNew = knownLines.size > 0 && lines.some((line) => /\d/.test(line) && !knownLines.has(line))
    const knownChars = lines.reduce((sum, line) => sum + (knownLines.has(line) ? line.length : 0), 0)
    if (!isNew && all > 0 && knownChars / all >= twinShare) return true
    for (const line of lines) knownLines.add(line)
    return false
  }
}

interface SplitText {
  lines: string[]
  places: readonly string[] | undefined
  passages: TextPassage[]
  /** Returns the units of a program, which are read when they are first used. */
  units: () => readonly QuoteUnit[]
  /** Notices about the file, for the reader of its passages. */
  notes?: readonly string[]
}

/** Returns the lines and passages of the file with this index; undefined if it can no longer be read. */
type PassageReader = (file: number) => Promise<SplitText | undefined>

/**
 * Largest number of characters in the cache. The lines and passages of the files take several times
 * as much memory.
 */
const maxKeptChars = 2_000_000

/**
 * Returns a reader that caches files with at most `maxChars` characters in total. If there are more, it drops
 * the files that were read first. The latest file always stays cached.
 */
export function createPassageReader(files: readonly PassageFile[], maxChars = maxKeptChars): PassageReader {
  const cache = new Map<number, { chars: number; found: SplitText | undefined }>()
  let chars = 0
  return async (index) => {
    const cacheEntry = cache.get(index)
    if (cacheEntry) return cacheEntry.found
    const file = files[index] as PassageFile
    const read = await readFileText(file)
    const text = 'text' in read ? read.text : ''
    for (const [oldest, { chars: oldestChars }] of cache) {
      if (chars + text.length <= maxChars) break
      cache.delete(oldest)
      chars -= oldestChars
    }
    let splitText: SplitText | undefined
    if ('text' in read) {
      const lines = linesOfText(text)
      const passages = splitFile(lines, file.path, kindOfFile(file.path))
      const units = once(() => listQuoteUnits(lines, withoutTemplate(file.path)))
      splitText = { lines, places: read.places, passages, units, notes: read.notes }
    }
    chars += text.length
    cache.set(index, { chars: text.length, found: splitText })
    return splitText
  }
}
