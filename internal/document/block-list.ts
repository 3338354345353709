// Collector of a document's blocks, which cleans their text and stores the headings above each block.
import type { DocumentBlock } from './document-text.ts'
import type { ReadingBudget } from './reading-budget.ts'

export interface BlockList {
  readonly blocks: DocumentBlock[]
  /**
   * Adds a block; `level` makes it a heading. White space alone is skipped without a call of `place`. Throws
   * DocumentCut if the document becomes longer than the budget allows.
   */
  add(text: string, place: () => string, level?: number): void
  /**
   * Returns a text with a part appended. Throws DocumentCut if the result is longer than a document may be.
   */
  readonly grow: ReadingBudget['grow']
}

const maxHeadingChars = 200

export function createBlockList(budget: ReadingBudget): BlockList {
  const blocks: DocumentBlock[] = []
  const path: { level: number; text: string }[] = []
  return {
    blocks,
    grow: budget.grow,
    add(raw, place, level) {
      const text = cleanText(raw)
      if (text === '') return
      budget.take(text)
      if (level !== undefined) {
        while ((path.at(-1)?.level ?? -1) >= level) path.pop()
        path.push({ level, text: text.replace(/\s+/g, ' ').slice(0, maxHeadingChars) })
      }
      const heading = path.map((one) => one.text).join(' > ')
      blocks.push({ text, place: place(), heading: heading || undefined })
    },
  }
}

/**
 * Returns the text without control characters and layout marks, trimmed, with runs of spaces and tabs as one
 * space; line breaks stay.
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu, '')
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
}

const figure = /^[\s+\-–−<>≤≥~±$€£]*\d[\d.,\s]*(?:%|[\p{L}°µ/]{0,6})$/u

/**
 * Returns whether the cells of a first row are column names: at least two, all filled, and without a
 * number among them.
 */
export function namesColumns(cells: readonly string[]): boolean {
  return cells.length > 1 && cells.every((cell) => cell.trim() !== '' && !figure.test(cell))
}

/**
 * Returns a table row as text: `site: A3; depth: 4 m`, or `A3 | 4 m` without column names. Empty
 * cells are omitted.
 */
export function formatRow(cells: readonly string[], columns: readonly string[] | undefined): string {
  const flat = cells.map((cell) => cell.replace(/\s+/g, ' ').trim())
  if (!columns) return flat.filter((cell) => cell !== '').join(' | ')
  return flat
    .map((cell, i) => {
      const name = columns[i]?.replace(/\s+/g, ' ').trim()
      return cell === '' ? '' : name ? `${name}: ${cell}` : cell
    })
    .filter((cell) => cell !== '')
    .join('; ')
}

/**
 * Returns a document's stated date as a day, month or year in ISO form, without the time. Undefined for a
 * text that is neither a date in ISO form nor one of a PDF, and for a date that cannot exist, such as one
 * in month 13.
 */
export function isoDate(stated: string | undefined): string | undefined {
  const trimmed = stated?.trim() ?? ''
  const iso =
    /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?)?)?$/.exec(
      trimmed,
    )
  const pdf = /^D:(\d{4})(\d{2})?(\d{2})?/.exec(trimmed)
  const [, year, month, day] = iso ?? pdf ?? []
  if (year === undefined || Number(year) === 0) return undefined
  const days = [year, month, day].filter((part) => part !== undefined).join('-')
  const time = Date.parse(days)
  // V8 reads 30 February as a day in March
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(days) ? undefined : days
}
