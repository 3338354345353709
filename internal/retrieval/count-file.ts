// Reader of one file that counts the words of a question in its passages.
import { closeSync } from 'node:fs'
import { messageOf } from '../base/errors.ts'
import { openPlain, readPrefix } from '../base/files/open-file.ts'
import { decodeAnyText, describeGuess } from '../base/text/detect-encoding.ts'
import { contentKind } from '../base/text/text-encoding.ts'
import { documentKindOf, isPackedDocument } from '../document/document-kind.ts'
import { isStudyReport, studyReportSkipped } from '../text-analysis/study-report.ts'
import { readDocumentText } from './document-text.ts'
import { kindOfFile, weakEvidence, weighFile } from './file-kind.ts'
import { hasPlaceIn, numberIn, type WantedAnswer } from './languages/wanted-answer.ts'
import type { PassageFile, PassageKind, TextPassage } from './passage.ts'
import { createTitleCounter } from './rank/titles.ts'
import { linesOfText, splitFile } from './split-file.ts'
import type { ScanTerms, TermPlace } from './term-scanner.ts'
import { type CountedPassage, createPlaceList, type FieldName, type TermPlaces } from './weigh.ts'
import type { ParsedQuestion } from './words.ts'
import { weighPlaces } from './yes-no/mention.ts'

/**
 * Maximum size of a file in bytes, except for packed documents such as PDF. Larger files are skipped, because
 * files of that size are not written for readers.
 */
const maxPassageFileBytes = 2 << 20

/**
 * A file as text, or the reason why it is skipped. In a document, `places` contains the position
 * of each line.
 */
type FileText =
  | { text: string; bytes: number; places?: readonly string[]; notes?: readonly string[] }
  | { skipped: string }

export async function readFileText(file: PassageFile): Promise<FileText> {
  if (file.text !== undefined) return { text: file.text, bytes: Buffer.byteLength(file.text) }
  const read = await readAnyText(file)
  return 'text' in read && isStudyReport(read.text) ? { skipped: studyReportSkipped } : read
}

async function readAnyText({ real, path }: PassageFile): Promise<FileText> {
  if (isPackedDocument(path)) return readDocumentText(real)
  try {
    const opened = openPlain(real, path)
    try {
      if (Number(opened.stat.size) > maxPassageFileBytes) return { skipped: 'larger than 2 MiB' }
      if (documentKindOf(path)) return await readDocumentText(real)
      const { bytes, whole } = await readPrefix(opened, maxPassageFileBytes)
      if (!whole) return { skipped: 'larger than 2 MiB' }
      const kind = contentKind(bytes)
      if (kind === 'image' || kind === 'pdf') return { skipped: unreadable[kind] }
      const decoded = kind === 'text' ? undefined : await decodeAnyText(bytes)
      const guess = decoded && describeGuess(decoded)
      if (decoded) return { text: decoded.text, bytes: bytes.length, notes: guess ? [guess] : undefined }
      if (kind !== 'text') return { skipped: unreadable[kind] }
      return { text: bytes.toString('utf8'), bytes: bytes.length }
    } finally {
      closeSync(opened.fd)
    }
  } catch (error) {
    return { skipped: messageOf(error) }
  }
}

const unreadable = {
  image: 'an image',
  pdf: 'a PDF',
  utf16: 'UTF-16 text',
  binary: 'binary',
  encoding: 'text in no known encoding',
} as const

interface CountedFile {
  passages: CountedPassage[]
  /** Number of characters of the whole file. */
  chars: number
}

/**
 * Returns the passages that have a term (a word of the question) in their text or heading, and the length
 * of the file.
 */
export function countFile(
  text: string,
  file: Pick<PassageFile, 'path'> & { index: number },
  question: ParsedQuestion,
  scan: ScanTerms,
): CountedFile {
  const places: TermPlace[] = []
  scan(text, (place) => places.push(place))
  if (places.length === 0) return { passages: [], chars: text.length }
  const kind = kindOfFile(file.path)
  const fileWeight = weighFile(
    file.path,
    question.terms.map(({ stem }) => stem),
  )
  const lines = linesOfText(text)
  const starts = startsOfLines(text, lines)
  const context: CountContext = {
    file: file.index,
    kind,
    fileWeight,
    size: question.terms.length,
    path: countField(file.path, scan, question.terms.length),
    pathChars: file.path.length,
    wants: question.wants,
  }
  const counted: CountedPassage[] = []
  const cache = new Map<string, Float32Array | undefined>()
  const fieldOf = (value: string) => {
    if (!cache.has(value)) cache.set(value, countField(value, scan, question.terms.length))
    return cache.get(value)
  }
  const titlesOf = createTitleCounter(file.path, question.language, fieldOf)
  const fencedShare = kind === 'prose' ? shareOfFences(lines) : () => 0
  places.sort((a, b) => a.at - b.at)
  const countPlaces = createPlaceCounter(
    places,
    statedPlaces(text, places, question, fileWeight),
    context.size,
  )
  for (const passage of splitFile(lines, file.path, kind)) {
    const begin = starts[passage.from - 1] as number
    const end = (starts[passage.to - 1] as number) + (lines[passage.to - 1] as string).length
    const passageCounts = countPlaces(begin, end)
    if (!passageCounts.text && !(passage.heading !== '' && fieldOf(passage.heading))) continue
    const titles = titlesOf(passage.heading, kind === 'code' ? passage.symbol : '')
    const fenced = fencedShare(passage.from, passage.to)
    counted.push(
      countPassage(
        passage,
        { ...passageCounts, ...context, titles, fenced },
        text.slice(begin, end),
        fieldOf,
      ),
    )
  }
  return { passages: counted, chars: text.length }
}

/** The counts of a question's terms in the text of one passage. */
interface CountedText {
  text: Float32Array | undefined
  stated: Float32Array | undefined
  places: TermPlaces
}

/**
 * Returns a function that counts the terms between two positions of the text. It has to be called for the
 * passages in their order. `plain` is how clearly the text states the term at each place: 1 in plain text,
 * 0.5 in a URL, 1.5 near a denial of support, 0 near a refusal in a test.
 */
function createPlaceCounter(
  places: readonly TermPlace[],
  plain: readonly number[] | undefined,
  size: number,
) {
  let next = 0
  return (begin: number, end: number): CountedText => {
    let text: Float32Array | undefined
    let stated: Float32Array | undefined
    const near = createPlaceList()
    while (next < places.length && (places[next] as TermPlace).at < begin) next++
    for (; next < places.length && (places[next] as TermPlace).at < end; next++) {
      const { at, term, weight } = places[next] as TermPlace
      near.add(at - begin, term, weight)
      text ??= new Float32Array(size)
      text[term] = (text[term] as number) + weight
      if (!plain) continue
      stated ??= new Float32Array(size)
      stated[term] = Math.max(stated[term] as number, plain[next] as number)
    }
    return { text, stated, places: near.close() }
  }
}

/**
 * Returns for each place how clearly the text states its term; see `weighPlaces`. Undefined if no term
 * belongs to a part of the question that wants a yes or a no.
 */
function statedPlaces(
  text: string,
  places: readonly TermPlace[],
  { terms, yesNo }: ParsedQuestion,
  fileWeight: number,
): number[] | undefined {
  const isAsked = ({ term }: TermPlace) => yesNo.has(terms[term]?.part ?? -1)
  return places.some(isAsked) ? weighPlaces(text, places, fileWeight < weakEvidence) : undefined
}

interface CountContext {
  file: number
  kind: PassageKind
  fileWeight: number
  size: number
  path: Float32Array | undefined
  pathChars: number
  wants: WantedAnswer
}

type PassageContext = CountContext & CountedText & Pick<CountedPassage, 'titles'> & { fenced: number }

function countPassage(
  { from, to, heading, symbol }: TextPassage,
  { text, stated, places, titles, fenced, path, pathChars, file, kind, fileWeight, wants }: PassageContext,
  content: string,
  fieldOf: (value: string) => Float32Array | undefined,
): CountedPassage {
  const counts: Record<FieldName, Float32Array | undefined> = {
    text,
    heading: heading === '' ? undefined : fieldOf(heading),
    symbol: symbol === '' ? undefined : fieldOf(symbol),
    path,
  }
  return {
    file,
    from,
    to,
    kind,
    fileWeight: weightOfPart(content, { kind, fileWeight, fenced }),
    lengths: { text: content.length, heading: heading.length, symbol: symbol.length, path: pathChars },
    counts,
    titles,
    places,
    stated,
    number: numberIn(content.slice(0, 4_000), wants.number),
    hasPlace: wants.place && hasPlaceIn(content.slice(0, 4_000)),
  }
}

/**
 * Share of its weight that a passage loses if all of its lines are in code fences. Such passages are mostly
 * examples of usage.
 */
const fenceLoss = 0.06

/**
 * Returns the weight of a passage's content. A list of links only refers to other pages, and usage in code
 * fences only shows what sentences explain.
 */
function weightOfPart(
  content: string,
  { kind, fileWeight, fenced }: Pick<CountedPassage, 'kind' | 'fileWeight'> & { fenced: number },
): number {
  const weight = fileWeight * (1 - fenceLoss * fenced)
  return kind === 'prose' && isLinkList(content) ? weight * linkListShare : weight
}

const linkLine = /^\s*(?:[-*+]|\d+[.)])?\s*\[[^\]]*\]\([^)]*\)[\s.,;]*$/

/**
 * Returns true if the content has at least four lines that are not blank and at least 70 % of these are
 * links, as in a table of contents.
 */
function isLinkList(content: string): boolean {
  const lines = content.split('\n').filter((line) => line.trim() !== '')
  return lines.length >= 4 && lines.filter((line) => linkLine.test(line)).length >= 0.7 * lines.length
}
const linkListShare = 0.4

/** Returns how often each term occurs in a short text such as a heading; undefined if none does. */
function countField(value: string, scan: ScanTerms, size: number): Float32Array | undefined {
  let counts: Float32Array | undefined
  scan(value, ({ term, weight }) => {
    counts ??= new Float32Array(size)
    counts[term] = (counts[term] as number) + weight
  })
  return counts
}

/** Returns the index in `text` of the first character of each line. */
function startsOfLines(text: string, lines: readonly string[]): number[] {
  const out: number[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (const line of lines) {
    out.push(at)
    at += line.length
    at += text.charCodeAt(at) === 13 ? 2 : 1
  }
  return out
}

const fence = /^\s{0,3}(?:`{3,}|~{3,})/

/**
 * Returns a function that returns the share of lines inside code fences, from 0 to 1, between a first and a
 * last line. The lines of the fences and both ends are included; lines count from 1.
 */
function shareOfFences(lines: readonly string[]): (from: number, to: number) => number {
  let isOpen = false
  const inside = lines.map((line) => {
    const isFence = fence.test(line)
    if (isFence) isOpen = !isOpen
    return isOpen || isFence
  })
  return (from, to) => inside.slice(from - 1, to).filter(Boolean).length / (to - from + 1)
}
