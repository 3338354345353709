// Places within a document, as they are written in references and read back: `page 3, lines 4-9`, `cell 2`,
// `paragraph 7`, `row 12`, `section 2, paragraph 5`.

/** `outer` is the page or section that the count starts again in. */
interface DocumentPlace {
  outer?: { unit: 'page' | 'section'; n: number }
  unit: 'page' | 'line' | 'section' | 'paragraph' | 'cell' | 'row'
  /** Both from 1, ends included. */
  from: number
  to: number
}

const written =
  /^(?:(page|section) (\d{1,9}), )?(page|line|section|paragraph|cell|row)s? (\d{1,9})(?:-(\d{1,9}))?$/

/** Undefined for places of other kinds, lines of a text file among them. */
export function parsePlace(place: string): DocumentPlace | undefined {
  const match = written.exec(place)
  if (!match) return undefined
  const [, outer, n, unit, first, last] = match
  const from = Number(first)
  return {
    outer: outer === undefined ? undefined : { unit: outer as 'page', n: Number(n) },
    unit: unit as DocumentPlace['unit'],
    from,
    to: last === undefined ? from : Number(last),
  }
}

export function formatPlace({ outer, unit, from, to }: DocumentPlace): string {
  const inner = from === to ? `${unit} ${from}` : `${unit}s ${from}-${to}`
  return outer ? `${outer.unit} ${outer.n}, ${inner}` : inner
}

/** The place that reaches from one block to a later one of the same document. */
export function spanPlaces(first: string, last: string): string {
  const a = parsePlace(first)
  const b = parsePlace(last)
  if (first === last || !a || !b) return first
  if (a.outer?.n === b.outer?.n && a.unit === b.unit) return formatPlace({ ...a, to: Math.max(a.to, b.to) })
  const unit = a.outer?.unit ?? a.unit
  return formatPlace({ unit, from: a.outer?.n ?? a.from, to: b.outer?.n ?? b.to })
}

/** Whether something of a block's place lies within `wanted`. */
export function placesOverlap(wanted: DocumentPlace, block: DocumentPlace): boolean {
  const meets = (from: number, to: number) => from <= wanted.to && to >= wanted.from
  if (wanted.outer === undefined && block.outer?.unit === wanted.unit)
    return meets(block.outer.n, block.outer.n)
  if (wanted.unit !== block.unit || wanted.outer?.n !== block.outer?.n) return false
  return meets(block.from, block.to)
}
