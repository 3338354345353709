// Replacement of list items of a report that only repeat the quote of a claim, so that they are
// shown as quotes.
import { escapeText } from '../../../render/markdown/write-inline.ts'
import { isQuotation, quotedClaim } from '../../../text-analysis/synthesis.ts'
import { type MarkdownBlock, parseMarkdownBlocks } from '../markdown-blocks.ts'
import type { ReportDocument, ReportedClaim } from '../report-document.ts'
import { layOutQuote, titleOf } from './quote-blocks.ts'

/**
 * Returns the pieces of a report. Each list item that only quotes a claim is replaced by the title and the
 * position of the claim's quote in its source, with the quote below.
 */
export function drawQuotations<P extends { kind: string }>(
  pieces: readonly (P | MarkdownBlock)[],
  { claims }: Pick<ReportDocument, 'claims'>,
): (P | MarkdownBlock)[] {
  return pieces.flatMap((piece): (P | MarkdownBlock)[] => {
    if (!isList(piece)) return [piece]
    const out: MarkdownBlock[] = []
    let items: string[] = []
    const flush = () => {
      if (items.length > 0) out.push({ ...piece, items })
      items = []
    }
    for (const text of piece.items) {
      const claim = findQuoted(text, claims)
      if (!claim) items.push(text)
      else {
        flush()
        out.push(...piecesOf(claim))
      }
    }
    flush()
    return out
  })
}

const isList = (piece: { kind: string }): piece is Extract<MarkdownBlock, { kind: 'list' }> =>
  piece.kind === 'list'

/** Returns the claim whose quote is the whole text of an item; undefined without one. */
function findQuoted(item: string, claims: readonly ReportedClaim[]): ReportedClaim | undefined {
  const [id] = /\[([^[\]]+)\]$/.exec(item)?.slice(1) ?? []
  const claim = claims.find((one) => one.id === id)
  return claim && isWords(claim) && item === quotedClaim(claim) ? claim : undefined
}

/** Returns true if a claim only repeats words of its source. */
const isWords = ({ text, quote }: ReportedClaim) => quote !== '' && isQuotation(text, quote)

/** Returns the ids of those claims that a report shows as quotes. */
export function listDrawn({ sections, asks, claims }: ReportDocument): ReadonlySet<string> {
  const parts = [sections, ...asks.map((ask) => ask.sections)].flatMap(({ answer, findings }) => [
    answer,
    findings,
  ])
  const items = parts.flatMap(parseMarkdownBlocks).flatMap((one) => (one.kind === 'list' ? one.items : []))
  return new Set(items.flatMap((item) => findQuoted(item, claims)?.id ?? []))
}

function piecesOf(claim: ReportedClaim): MarkdownBlock[] {
  const quotation = { quote: claim.quote, key: claim.key, path: pathOf(claim), heading: claim.heading }
  const title = titleOf(quotation)
  const place = claim.place === null ? [] : [`\`${claim.place.replaceAll('`', "'")}\``]
  const head = [...(title === '' ? [] : [`**${escapeText(title)}**`]), ...place].join(' · ')
  return [{ kind: 'text', text: `${head} [${claim.id}]`.trim() }, ...layOutQuote(quotation)]
}

/**
 * Returns the file of a claim, which is its position without lines, page or cell. Empty for a claim
 * without a position.
 */
export const pathOf = ({ place }: ReportedClaim): string =>
  (place ?? '').replace(/:[\d,\s-]+$|, .*$| \([^)]*\)$/, '')

/**
 * Returns the most informative part of a quote between `…` marks, or the whole quote if it has no such part.
 */
export const shortQuote = ({ quote, key }: Pick<ReportedClaim, 'quote' | 'key'>): string =>
  key === undefined || key.trim() === quote.trim() ? quote : `… ${key.trim()} …`

/** Largest number of characters of a quote that a report repeats. A longer quote is cut. */
const maxRepeatedChars = 160

/**
 * Returns at most `maxRepeatedChars` characters of a text, cut at a space, with ` …` after a cut. The text
 * must contain no markup, because a cut would separate its marks from each other.
 */
export function cutRepeated(text: string): string {
  if (text.length <= maxRepeatedChars) return text
  const end = text.lastIndexOf(' ', maxRepeatedChars)
  return `${text.slice(0, end > 0 ? end : maxRepeatedChars).replace(/[\s…]+$/, '')} …`
}
