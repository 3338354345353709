// Order and content of a report, which all formats share. The formats only style its pieces.
import { formatByteSize } from '../../base/text/count-noun.ts'
import type { InlineMarkup } from '../../render/markdown/inline.ts'
import { addStudyReason, describeDoubt } from '../../session/board/study-words.ts'
import { quotedClaim } from '../../text-analysis/synthesis.ts'
import type { ClaimState } from '../log/entries.ts'
import { findCitedClaims } from '../verify/citations.ts'
import {
  describeBasis,
  describeEnd,
  describeReading,
  formatSeconds,
  headFacts,
  listCommands,
  listSkipped,
  listSpending,
  listUndone,
  listWarnings,
} from './facts.ts'
import { type MarkdownBlock, parseMarkdownBlocks } from './markdown-blocks.ts'
import { cutRepeated, drawQuotations, listDrawn, pathOf, shortQuote } from './quotation/quotation-pieces.ts'
import { markupOf, plainQuote } from './quotation/quote-blocks.ts'
import type { ReportDocument, ReportedAsk, ReportedClaim, ReportedSource } from './report-document.ts'
import { joinLineRanges } from './sources.ts'

/** A source with its quotes. */
export interface CitedSource {
  n: number
  place: string
  /** URL of the position, which was checked, so that a format may use it as a link. */
  link?: string
  /** Facts about the source: `PDF, 2023-09-14, 2.4 KB, secondary`; empty if none are known. */
  about: string
  quotes: SourceQuote[]
}

export interface SourceQuote {
  claim: string
  place: string
  link?: string
  text: string
  /** Markup of prose; undefined for programs and data, whose text is shown unchanged. */
  markup?: InlineMarkup | undefined
  note: string
}

/** How much of a report is shown: the answer with its sources, or also all facts about the study. */
export type ReportExtent = 'answer' | 'whole'

/** A piece of a report. In `text`, `heading`, `list` and `quote`, `[C1.1]` cites a claim. */
export type ReportPiece =
  | { kind: 'title'; text: string }
  | { kind: 'section'; text: string }
  | MarkdownBlock
  | { kind: 'warning'; text: string }
  | { kind: 'facts'; pairs: [label: string, value: string][] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  /** `brief`: the positions only, without the quotes. */
  | { kind: 'sources'; sources: CitedSource[]; brief?: true }

export function layOutReport(it: ReportDocument, extent: ReportExtent = 'whole'): ReportPiece[] {
  return drawQuotations(extent === 'answer' ? layOutAnswer(it) : layOutWhole(it), it)
}

/** Returns the answer with its sources, without further questions, empty later sections and repetitions. */
function layOutAnswer(it: ReportDocument): ReportPiece[] {
  const answer = listAnswerPieces(it)
  return [
    ...listWarningPieces(it),
    ...createSection('Answer', answer),
    ...filledSection('Findings', dropRepeated(parseMarkdownBlocks(it.sections.findings), answer)),
    ...filledSection('Contradictions', listContradictions(it)),
    ...filledSection('Gaps', listGaps(it)),
    ...filledSection(
      'Sources',
      it.sources.length > 0 ? [{ kind: 'sources', sources: listSources(it), brief: true }] : [],
    ),
    ...describeOrigin(it),
  ]
}

/** Returns lines about the evidence that the answer uses and about what rules have read; may be empty. */
function describeOrigin(it: ReportDocument): ReportPiece[] {
  const isRead = it.model.kind === 'rules' && it.read !== null && it.answered_from !== 'filed'
  const lines = [describeBasis(it), isRead ? `read ${describeReading(it)}` : undefined]
  return lines.filter((text) => text !== undefined).map((text) => ({ kind: 'text', text }))
}

/** Returns the pieces of the answer and of all sections with content. Details follow the findings. */
function layOutWhole(it: ReportDocument): ReportPiece[] {
  return [
    { kind: 'title', text: it.question },
    ...listWarningPieces(it),
    ...createSection('Answer', listAnswerPieces(it)),
    ...filledSection('Findings', parseMarkdownBlocks(it.sections.findings)),
    ...filledSection('Contradictions', listContradictions(it)),
    ...filledSection('Gaps', listGaps(it)),
    ...it.asks.flatMap(furtherQuestion),
    ...filledSection('Sources', it.sources.length > 0 ? [{ kind: 'sources', sources: listSources(it) }] : []),
    ...filledSection('Skipped', listOf(listSkipped(it))),
    ...createSection('Study', [{ kind: 'facts', pairs: headFacts(it) }]),
    ...filledSection('Failed and not run', listOf(listUndone(it))),
    ...createSection('Budget', [{ kind: 'facts', pairs: listSpending(it) }, createTaskTable(it)]),
    ...createSection('Reproduce', [
      { kind: 'facts', pairs: [['Corpus', it.corpus]] },
      { kind: 'code', text: listCommands(it).join('\n'), language: 'sh' },
    ]),
  ]
}

/**
 * Returns the numbers of the sources that `[C1.1, C2.1]` cites, each once. Each has the worst state of
 * its cited claims.
 */
export function findSourceNumbers(
  it: ReportDocument,
  ids: readonly string[],
): { n: number; state: ClaimState }[] {
  const out = new Map<number, ClaimState>()
  for (const id of ids) {
    const claim = it.claims.find((one) => one.id === id)
    if (!claim) continue
    for (const { n } of it.sources.filter(({ claims }) => claims.includes(id)))
      out.set(n, worseState(claim.state, out.get(n) ?? 'verified'))
  }
  return [...out].map(([n, state]) => ({ n, state }))
}

const states: readonly ClaimState[] = ['verified', 'quoted', 'not_found']

const worseState = (a: ClaimState, b: ClaimState): ClaimState =>
  states.indexOf(a) > states.indexOf(b) ? a : b

/** Returns the mark that follows the number of a source; an empty text for verified claims. */
export const markOf = (state: ClaimState): string =>
  ({ verified: '', quoted: ' (in other words)', not_found: ' not verified' })[state]

/** Returns the title and pieces of a section; an empty list for a section without pieces. */
const filledSection = (title: string, pieces: readonly ReportPiece[]) =>
  pieces.length > 0 ? createSection(title, pieces) : []

function createSection(title: string, pieces: readonly ReportPiece[]): ReportPiece[] {
  return [
    { kind: 'section', text: title },
    ...(pieces.length > 0 ? pieces : [{ kind: 'text', text: 'None.' } as const]),
  ]
}

/** Returns the pieces of a further question. Its sources are in the list of the report. */
function furtherQuestion(ask: ReportedAsk): ReportPiece[] {
  const { question, status, reason, sections, claims } = ask
  const end = addStudyReason(status, reason)
  const answer = claims.length > 0 || sections.answer.startsWith('Unverified') ? sections.answer : ''
  const open = ask.gaps.map(({ gap, task }) => `${gap} (${task})`)
  return [
    ...createSection(`Further question: ${question}`, [
      ...(status === 'done' ? [] : [{ kind: 'warning', text: `This question is ${end}.` } as const]),
      ...parseMarkdownBlocks(answer),
      ...parseMarkdownBlocks(sections.findings),
    ]),
    ...(open.length > 0 ? listOf(open.map((gap) => `open: ${gap}`)) : []),
  ]
}

const hasAnswer = (it: ReportDocument) =>
  it.unverified_answers.length > 0 || it.claims.length > it.asks.flatMap(({ claims }) => claims).length

const listWarningPieces = (it: ReportDocument) =>
  listWarnings(it).map((text): ReportPiece => ({ kind: 'warning', text }))

const listAnswerPieces = (it: ReportDocument): ReportPiece[] =>
  hasAnswer(it) ? parseMarkdownBlocks(it.sections.answer) : explainNoAnswer(it)

const hasBody = (next: ReportPiece | undefined) => next !== undefined && next.kind !== 'heading'

/** Returns the pieces without items that `answer` has, and without headings that have no content left. */
function dropRepeated(pieces: readonly ReportPiece[], answer: readonly ReportPiece[]): ReportPiece[] {
  const shownItems = new Set(answer.flatMap((piece) => (piece.kind === 'list' ? piece.items : [])))
  const newPieces = pieces.flatMap((piece): ReportPiece[] => {
    if (piece.kind !== 'list') return [piece]
    const items = piece.items.filter((item) => !shownItems.has(item))
    return items.length > 0 ? [{ ...piece, items }] : []
  })
  const filled = newPieces.filter((piece, i) => piece.kind !== 'heading' || hasBody(newPieces[i + 1]))
  // A single heading at the beginning only repeats the question, so it is left out.
  const headings = filled.filter(({ kind }) => kind === 'heading')
  return headings.length === 1 && filled[0] === headings[0] ? filled.slice(1) : filled
}

const listOf = (items: string[]): ReportPiece[] =>
  items.length > 0 ? [{ kind: 'list', ordered: false, items }] : []

/** Returns the text that replaces a missing answer, with the details of the tasks. */
function explainNoAnswer(it: ReportDocument): ReportPiece[] {
  const why = it.outcome === 'nothing found' ? '' : addStudyReason('', it.reason)
  const details = it.tasks.flatMap(({ detail }) => (detail === null ? [] : [detail]))
  return [{ kind: 'text', text: `No answer: no claim was recorded${why}.` }, ...listOf([...new Set(details)])]
}

/** Returns the contradictions that the aggregator described, then further contradicting claims. */
function listContradictions(it: ReportDocument): ReportPiece[] {
  const lines = it.sections.contradictions.split('\n').map(findCitedClaims)
  const pairs = it.contradictions.filter(([a, b]) => !lines.some((ids) => ids.includes(a) && ids.includes(b)))
  const claim = (id: string) => it.claims.find((one) => one.id === id) as ReportedClaim
  const quotedText = (id: string) => quotedClaim(claim(id))
  const pieces = [
    ...parseMarkdownBlocks(it.sections.contradictions),
    ...listOf(pairs.map(([a, b]) => `${quotedText(a)} against ${quotedText(b)}`)),
  ]
  return pieces.flatMap((piece) => (piece.kind === 'list' ? piece.items.flatMap(opposeSides) : [piece]))
}

/** Returns the sides of `"A" [C1.1] against "B" [C2.1]`, one below the other; any other item as it is. */
function opposeSides(item: string): ReportPiece[] {
  const sides = item.split(/(?<=\[[^[\]]+\]) against /)
  return sides.flatMap((side, i) => [
    ...(i > 0 ? [{ kind: 'text', text: 'against' } as const] : []),
    ...listOf([side]),
  ])
}

function listGaps(it: ReportDocument): ReportPiece[] {
  const otherGaps = it.gaps
    .filter(({ gap }) => !it.sections.gaps.includes(gap))
    .map(({ task, gap }) => `${gap} (${task})`)
  return [...parseMarkdownBlocks(it.sections.gaps), ...listOf(otherGaps)]
}

function listSources(it: ReportDocument): CitedSource[] {
  const drawn = listDrawn(it)
  return it.sources.map(({ n, place, link, claims, ...facts }) => ({
    n,
    place,
    about: describeSource(facts),
    ...linkField(link),
    quotes: it.claims
      .filter(({ id }) => claims.includes(id))
      .flatMap((claim) => {
        const citedPlaces = claim.places.filter((one) => facts.evidence.includes(one.evidence))
        return citedPlaces.map((one) => ({
          claim: claim.id,
          place: one.place ?? place,
          ...linkField(one.link ?? link),
          text: drawn.has(claim.id)
            ? cutRepeated(plainQuote(shortQuote(claim), pathOf(claim)))
            : plainQuote(one.quote, pathOf(claim)),
          markup: markupOf(pathOf(claim)),
          note: noteOf(claim),
        }))
      }),
  }))
}

/** Describes a source in a few words, without its weight if that is `primary`, as usual. */
function describeSource({ kind, date, bytes, weight }: Partial<ReportedSource>): string {
  const size = bytes === undefined ? undefined : formatByteSize(bytes)
  const standing = weight === 'primary' ? undefined : weight
  return [kind, date, size, standing].filter((part) => part !== undefined).join(', ')
}

/** Returns a URL of the web, of a file, or a relative one. Others could run code and are dropped. */
function linkField(link: string | undefined): { link?: string } {
  if (link === undefined || /[\s"'<>\\\0-\x1f]/.test(link)) return {}
  return /^(?:https?:\/\/|file:\/\/\/|(?!\/\/)[^:]*(?:[/?#]|$))/i.test(link) ? { link } : {}
}

/** Returns quoted lines of one file: `a.md:2, 14-16`; else the position of the first quote or the source. */
export function joinPlaces({ place, quotes }: CitedSource): string {
  const places = [...new Set(quotes.map((quote) => quote.place))]
  const [first] = places
  if (first === undefined) return place
  const file = /^(.*:)\d[\d,-]*$/.exec(first)?.[1]
  if (file === undefined || !places.every((one) => one.startsWith(file))) return first
  const lines = joinLineRanges(places.map((one) => one.slice(file.length)))
  return lines === undefined ? first : `${file}${lines}`
}

function noteOf({ state, reason, source_changed }: ReportedClaim): string {
  const doubt = `not verified: ${describeDoubt(reason)}`
  const checked = { verified: 'verified', quoted: 'in other words', not_found: doubt }[state]
  return source_changed ? `${checked}, source changed since` : checked
}

/** Returns the table of tasks; without tokens and steps if rules did the work. */
function createTaskTable(it: ReportDocument): ReportPiece {
  const paid = it.model.kind !== 'rules'
  return {
    kind: 'table',
    head: ['Task', 'End', 'Claims', ...(paid ? ['Tokens', 'Steps'] : []), 'Time', 'Objective'],
    rows: it.tasks.map((task) => [
      task.id,
      describeEnd(task, it.model),
      String(task.claims.length),
      ...(paid ? [String(task.tokens), String(task.steps)] : []),
      formatSeconds(task.wall_ms),
      task.objective,
    ]),
  }
}
