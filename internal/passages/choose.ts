// Chooses which of the scored passages are shown: no text twice, something for each part of the question.
import { placeOfLines } from './document-text.ts'
import { createPassageReader, type PassageReader } from './limits/passage-reader.ts'
import { maxPassageChars, type PassageFile, type PassageKind } from './passage.ts'
import { createTwinCheck } from './rank/twins.ts'
import { type CountedPassage, coveredShare, holdsTerm, scorePassage } from './weigh.ts'
import type { ParsedQuestion } from './words.ts'

export interface PassageHit {
  path: string
  from: number
  to: number
  heading: string
  symbol: string
  kind: PassageKind
  score: number
  /** Words of the question that it holds. */
  matched: string[]
  /** Its lines as they stand in the file. */
  text: string
  /** Where they stand in a document: `from` and `to` count the lines of its text, which nobody sees. */
  place?: string
  /** Index of the part of the question that it is about. */
  part: number
  /** The name in an earlier passage that led here. */
  follows?: string
  counted: CountedPassage
}

interface ScoredPassage {
  passage: CountedPassage
  score: number
}

export interface PassageChoice {
  files: readonly PassageFile[]
  question: ParsedQuestion
  weights: readonly number[]
  /** Best first. */
  scored: readonly ScoredPassage[]
  limit: number
  /** Bytes of all files, which are read once more to follow names. */
  bytes: number
}

/** Each further passage of a file counts this much of the one before. */
const perFile = 0.93

/** Words of other parts count this much where a part is to be filled that has nothing. */
const otherParts = 0.35

export async function choosePassages(choice: PassageChoice): Promise<PassageHit[]> {
  const reader = createPassageReader(choice.files)
  const pool = choice.scored.slice(0, Math.max(60, choice.limit * 4))
  const hits: PassageHit[] = []
  const taken = new Set<string>()
  const perPath = new Map<number, number>()
  const left = [...pool]
  const isTwin = createTwinCheck()
  const twins: PassageHit[] = []
  while (hits.length < choice.limit && left.length > 0) {
    const at = bestOf(left, perPath)
    const [one] = left.splice(at, 1) as [ScoredPassage]
    const hit = await toHit(one, choice, reader)
    const text = hit?.text.replace(/\s+/g, ' ') ?? ''
    if (!hit || taken.has(text)) continue
    taken.add(text)
    perPath.set(one.passage.file, (perPath.get(one.passage.file) ?? 0) + 1)
    if (isTwin(hit.text)) twins.push(hit)
    else hits.push(hit)
  }
  hits.push(...twins.slice(0, choice.limit - hits.length))
  await fillParts(hits, choice, reader)
  return hits
}

function bestOf(left: readonly ScoredPassage[], perPath: ReadonlyMap<number, number>): number {
  let best = 0
  let bestScore = -1
  for (const [i, { passage, score }] of left.entries()) {
    if (score < bestScore) break
    const own = score * perFile ** (perPath.get(passage.file) ?? 0)
    if (own > bestScore) {
      best = i
      bestScore = own
    }
  }
  return best
}

/** The best passage for each part that no passage is about, in place of the weakest one. */
async function fillParts(hits: PassageHit[], choice: PassageChoice, reader: PassageReader): Promise<void> {
  const { question, weights, scored } = choice
  if (question.parts.length < 2) return
  for (const part of question.parts.keys()) {
    if (hits.some((hit) => hit.part === part)) continue
    const own = weights.map((weight, i) => (question.terms[i]?.part === part ? weight : weight * otherParts))
    let best: ScoredPassage | undefined
    for (const { passage } of scored) {
      if (!question.terms.some((term, i) => term.part === part && holdsTerm(passage, i) > 0)) continue
      const score = scorePassage(passage, question, own)
      if (score > (best?.score ?? 0)) best = { passage, score }
    }
    if (!best) continue
    const hit = await toHit(best, choice, reader)
    if (!hit || hits.some(({ path, from }) => path === hit.path && from === hit.from)) continue
    if (hits.length >= choice.limit) hits.pop()
    hits.push({ ...hit, part })
  }
}

/** Undefined when the file has changed or gone meanwhile. */
async function toHit(
  { passage, score }: ScoredPassage,
  { files, question, weights }: PassageChoice,
  reader: PassageReader,
): Promise<PassageHit | undefined> {
  const read = await reader(passage.file)
  const own = read?.passages.find(({ from, to }) => from === passage.from && to === passage.to)
  if (!read || !own) return undefined
  const matched = question.terms.filter(({ weight }, i) => weight > 0 && holdsTerm(passage, i) > 0)
  return {
    path: (files[passage.file] as PassageFile).path,
    ...own,
    kind: passage.kind,
    score: Math.round(score * 100) / 100,
    matched: matched.map(({ word }) => word),
    text: clipLongLine(
      read.lines.slice(own.from - 1, own.to).join('\n'),
      matched.map(({ word }) => word),
    ),
    ...(read.places && { place: placeOfLines(read.places, own.from, own.to) }),
    part: partOf(passage, question, weights),
    counted: passage,
  }
}

/** Of a line that is longer than any passage the stretch around the first word that it holds. */
function clipLongLine(text: string, words: readonly string[]): string {
  if (text.length <= 2 * maxPassageChars) return text
  const folded = text.toLowerCase()
  const places = words.map((word) => folded.indexOf(word.toLowerCase().slice(0, 5))).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 200)
  return text.slice(from, from + maxPassageChars)
}

/** The part of whose weight the passage holds most. */
function partOf(
  passage: CountedPassage,
  { terms, parts }: ParsedQuestion,
  weights: readonly number[],
): number {
  let best = 0
  let bestShare = -1
  for (const part of parts.keys()) {
    const own = weights.map((weight, i) => (terms[i]?.part === part ? weight : 0))
    const share = coveredShare(passage, own)
    if (share > bestShare) {
      best = part
      bestShare = share
    }
  }
  return best
}
