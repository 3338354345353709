// The order of a report and what stands in it, once for every form: Markdown, terminal and HTML only dress these pieces.
import { quotedClaim } from '../../model/extract/synthesis.ts'
import { cited } from '../check/citing.ts'
import { type Block, blocks } from './blocks.ts'
import type { Document, ReportedClaim } from './document.ts'
import { commands, endOf, headFacts, seconds, spending, undone, warnings } from './facts.ts'

/** A source with what is quoted from it. */
export interface Cited {
  n: number
  place: string
  quotes: { claim: string; place: string; text: string; note: string }[]
}

/** In `text`, `heading`, `list` and `quote` a claim is cited as `[C1.1]`. */
export type Piece =
  | { kind: 'title'; text: string }
  | { kind: 'section'; text: string }
  | Block
  | { kind: 'warning'; text: string }
  | { kind: 'facts'; pairs: [label: string, value: string][] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'sources'; sources: Cited[] }

export function page(it: Document): Piece[] {
  return [
    { kind: 'title', text: it.question },
    { kind: 'facts', pairs: headFacts(it) },
    ...warnings(it).map((text): Piece => ({ kind: 'warning', text })),
    ...section('Answer', it.claims.length === 0 ? [nothing(it)] : blocks(it.sections.answer)),
    ...section('Findings', blocks(it.sections.findings)),
    ...section('Contradictions', contradictions(it)),
    ...section('Gaps', gaps(it)),
    ...section('Sources', it.sources.length > 0 ? [{ kind: 'sources', sources: sources(it) }] : []),
    ...section('Failed and not run', list(undone(it))),
    ...section('Budget', [{ kind: 'facts', pairs: spending(it) }, tasks(it)]),
    ...section('Reproduce', [
      { kind: 'facts', pairs: [['Corpus', it.corpus]] },
      { kind: 'code', text: commands(it).join('\n') },
    ]),
  ]
}

/** What `[C1.1, C2.1]` shows: numbers of sources, each once, and whether all of its claims are verified. */
export function numbers(it: Document, ids: readonly string[]): { n: number; verified: boolean }[] {
  const out = new Map<number, boolean>()
  for (const id of ids) {
    const claim = it.claims.find((one) => one.id === id)
    if (claim?.source) out.set(claim.source, claim.verified && out.get(claim.source) !== false)
  }
  return [...out].map(([n, verified]) => ({ n, verified }))
}

function section(title: string, pieces: readonly Piece[]): Piece[] {
  return [
    { kind: 'section', text: title },
    ...(pieces.length > 0 ? pieces : [{ kind: 'text', text: 'None.' } as const]),
  ]
}

const list = (items: string[]): Piece[] => (items.length > 0 ? [{ kind: 'list', ordered: false, items }] : [])

function nothing(it: Document): Piece {
  return {
    kind: 'text',
    text: `No claim was recorded${it.reason === null ? '' : ` (${it.reason})`}: there is no answer.`,
  }
}

/** What the aggregator set side by side, and the pairs it did not. */
function contradictions(it: Document): Piece[] {
  const shown = it.sections.contradictions.split('\n').map(cited)
  const left = it.contradictions.filter(([a, b]) => !shown.some((ids) => ids.includes(a) && ids.includes(b)))
  const claim = (id: string) => it.claims.find((one) => one.id === id) as ReportedClaim
  const said = (id: string) => quotedClaim(claim(id))
  return [
    ...blocks(it.sections.contradictions),
    ...list(left.map(([a, b]) => `${said(a)} against ${said(b)}`)),
  ]
}

function gaps(it: Document): Piece[] {
  const left = it.gaps
    .filter(({ gap }) => !it.sections.gaps.includes(gap))
    .map(({ task, gap }) => `${gap} (${task})`)
  return [...blocks(it.sections.gaps), ...list(left)]
}

function sources(it: Document): Cited[] {
  return it.sources.map(({ n, place, claims }) => ({
    n,
    place,
    quotes: it.claims
      .filter(({ id }) => claims.includes(id))
      .map((claim) => ({
        claim: claim.id,
        place: claim.place ?? place,
        text: claim.quote,
        note: noteOf(claim),
      })),
  }))
}

function noteOf({ verified, reason, source_changed }: ReportedClaim): string {
  const checked = verified ? 'verified' : `not verified: ${reason}`
  return source_changed ? `${checked}, source changed since` : checked
}

function tasks(it: Document): Piece {
  return {
    kind: 'table',
    head: ['Task', 'End', 'Claims', 'Tokens', 'Steps', 'Time', 'Objective'],
    rows: it.tasks.map((task) => [
      task.id,
      endOf(task),
      String(task.claims.length),
      String(task.tokens),
      String(task.steps),
      seconds(task.wall_ms),
      task.objective,
    ]),
  }
}
