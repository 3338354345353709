// Places within a document, written in references and parsed again: `page 3, lines 4-9`, `cell 2`, `paragraph
// 7`, `row 12`, `section 2, paragraph 5`.

/** A parsed place. `outer` is the page or section in which the count restarts. */
interface DocumentPlace {
  outer?: { unit: 'page' | 'section'; n: number }
  unit: 'page' | 'line' | 'section' | 'paragraph' | 'cell' | 'row'
  /** First and last number, counted from 1, both included. */
  from: number
  to: number
}

const written =
  /^(?:(page|section) (\d{1,9}), )?(page|line|section|paragraph|cell|row)s? (\d{1,9})(?:-(\d{1,9}))?$/

/** Parses a place. Returns undefined for other places, such as lines of a text file. */
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

/**
 * Returns the place that spans from one block to a later block of the same document; across pages or sections
 * it names only these. Returns `first` if one of the places cannot be parsed.
 */
export function spanPlaces(first: string, last: string): string {
  const a = parsePlace(first)
  const b = parsePlace(last)
  if (first === last || !a || !b) return first
  if (a.outer?.n === b.outer?.n && a.unit === b.unit) return formatPlace({ ...a, to: Math.max(a.to, b.to) })
  const unit = a.outer?.unit ?? a.unit
  return formatPlace({ unit, from: a.outer?.n ?? a.from, to: b.outer?.n ?? b.to })
}

/** Returns whether a block's place overlaps `place`. */
export function placesOverlap(place: DocumentPlace, block: DocumentPlace): boolean {
  const meets = (from: number, to: number) => from <= place.to && to >= place.from
  if (place.outer === undefined && block.outer?.unit === place.unit)
    return meets(block.outer.n, block.outer.n)
  if (place.unit !== block.unit || place.outer?.n !== block.outer?.n) return false
  return meets(block.from, block.to)
}
