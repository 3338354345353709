// Collects the blocks of a document: text cleaned, headings kept as a path, places counted.
import type { DocumentBlock } from './document-text.ts'
import type { ReadingBudget } from './reading-budget.ts'

export interface BlockList {
  readonly blocks: DocumentBlock[]
  /** `level` makes it a heading. Text of white space alone is left out, and `place` not asked for. */
  add(text: string, place: () => string, level?: number): void
  /** See ReadingBudget: for text that is still to be added. */
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

/** Without control characters and marks that only steer the layout; line breaks stay. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu, '')
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
}

const figure = /^[\s+\-–−<>≤≥~±$€£]*\d[\d.,\s]*(?:%|[\p{L}°µ/]{0,6})$/u

/** Whether the first row of a table names its columns. */
export function namesColumns(cells: readonly string[]): boolean {
  return cells.length > 1 && cells.every((cell) => cell.trim() !== '' && !figure.test(cell))
}

/** A row of a table as text: `site: A3; depth: 4 m`, or bare cells where nothing names the columns. */
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

/** ISO form of a date that a document states; undefined when it is none. */
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
  return Number.isNaN(Date.parse(days)) ? undefined : days
}
