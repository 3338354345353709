// A row made by rules, without a model: for each column the best quote, with the number, date or
// choice in it.
import { once } from '../../base/once.ts'
import { listDates } from '../../text-analysis/sentence-values.ts'
import { sentencesOfLines } from '../../text-analysis/sentences.ts'
import type { RowCell, StudyColumn } from '../log/table-entries.ts'
import { type ClaimTerm, listClaimTerms, readTextWords, weighTerm } from '../verify/claim-terms.ts'
import { checkCell, listNumbers, listWordNumbers } from './cell-check.ts'
import { answerName } from './columns.ts'
import type { TableDocument } from './table-document.ts'

/** Largest number of characters of a quote. Longer sentences are not used. */
const maxQuote = 1500

/**
 * Smallest share of the question's terms that a quote must contain if it does not contain the name
 * of its column.
 */
const minAsked = 0.5

/** Returns the cells of a document. A column without a suitable quote has no cell. */
export function fillRowByRule(
  columns: readonly StudyColumn[],
  question: string,
  document: TableDocument,
): RowCell[] {
  const sentences = listSentences(document)
  return columns.flatMap((column) => {
    const wantedCell = describeWanted(column, question)
    let best: { text: string; value: string; score: number } | undefined
    for (const text of sentences) {
      const value = findValue(text, wantedCell)
      if (value === undefined) continue
      const score = scoreSentence(text, wantedCell)
      if (score > (best?.score ?? 0)) best = { text, value, score }
    }
    if (!best) return []
    if (best.value === '') return [quoteOnly(column, best.text, question, document)]
    const { cell } = checkCell(column, { value: best.value, quote: best.text }, question, document)
    return cell.state === 'not_found' ? [] : [cell]
  })
}

/** Returns a cell with a quote and no value, because rules cannot decide between yes and no. */
function quoteOnly(column: StudyColumn, quote: string, question: string, document: TableDocument): RowCell {
  const { cell } = checkCell({ ...column, type: 'text' }, { value: quote, quote }, question, document)
  return { ...cell, value: '', state: 'quoted' }
}

function listSentences({ blocks }: TableDocument): string[] {
  return blocks.flatMap(({ text }) =>
    sentencesOfLines(text.split('\n'))
      .map((sentence) => sentence.text.trim())
      .filter((sentence) => sentence.length > 2 && sentence.length <= maxQuote),
  )
}

interface WantedCell {
  column: StudyColumn
  name: readonly ClaimTerm[]
  question: readonly ClaimTerm[]
  /** True if the question asks for this column. */
  isAsked: boolean
  /** True if the question asks for a count and this column is its answer. */
  counts: boolean
}

/**
 * Matches names of columns that count people. A question such as "How many were enrolled?" asks for such a
 * column without its words.
 */
const people = once(() => {
  const plain = 'patient participant person subject child adult infant volunteer respondent student case n'
  const names = [...plain.split(' ').map((word) => `${word}s?`), 'people', 'children', 'wom[ae]n', 'm[ae]n']
  return new RegExp(`\\b(?:${names.join('|')})\\b`, 'i')
})
const asksForCount = /\b(?:how many|number of)\b/i

function describeWanted(column: StudyColumn, question: string): WantedCell {
  const name = listClaimTerms(column.name)
  const words = readTextWords(question)
  const counts = column.type === 'number' && asksForCount.test(question)
  const isAsked =
    column.name === answerName || shareOf(name, words) > 0 || (counts && people().test(column.name))
  return { column, name, question: listClaimTerms(question), isAsked, counts: counts && isAsked }
}

const shareOf = (terms: readonly ClaimTerm[], words: ReturnType<typeof readTextWords>): number =>
  terms.length === 0 ? 0 : terms.reduce((sum, term) => sum + weighTerm(term, words), 0) / terms.length

function scoreSentence(text: string, { column, name, question, isAsked }: WantedCell): number {
  const words = readTextWords(text)
  const questionShare = shareOf(question, words)
  const named = column.name === answerName ? 0 : shareOf(name, words)
  if (column.type === 'choice') return 1 + named + questionShare
  if (named === 0 && (!isAsked || questionShare < minAsked)) return 0
  return named + questionShare * (isAsked ? 1.2 : 0.3)
}

/**
 * Returns the value in a sentence; an empty text if the sentence can only be quoted; undefined if the
 * sentence does not fit the column.
 */
function findValue(text: string, wantedCell: WantedCell): string | undefined {
  const { type, choices = [] } = wantedCell.column
  switch (type) {
    case 'text':
      return text
    case 'yes/no':
      return ''
    case 'number':
      return findNumber(text, wantedCell)
    case 'date':
      return listDates(text)[0]?.iso
    case 'choice': {
      const words = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
      const named = choices.filter((choice) =>
        words.includes(
          ` ${choice
            .toLowerCase()
            .replace(/[^\p{L}\p{N}]+/gu, ' ')
            .trim()} `,
        ),
      )
      return named.length === 1 ? named[0] : undefined
    }
  }
}

/**
 * Characters that are added to the distance of a number that is probably not the wanted one. Such numbers are
 * years, numbers of other items, and, if a count is wanted, numbers with a unit. The number with the smallest
 * distance is used.
 */
const costs = { year: 200, otherItem: 100, unit: 60 }

/**
 * Returns the number that is nearest to the terms of the column's name, and to those of the question if the
 * question asks for this column or the name does not occur. Numbers in dates that have a month, numbers of
 * references and p values do not count. Undefined without a number.
 */
function findNumber(text: string, { name, question, isAsked, counts }: WantedCell): string | undefined {
  const dates = listDates(text).filter(({ iso }) => iso.length > 4)
  const isDate = (at: number) => dates.some((date) => at >= date.at && at < date.at + date.length)
  const isReference = (at: number, length: number) =>
    text[at - 1] === '[' || text[at + length] === ']' || /\bp\s*[=<>≤]\s*$/i.test(text.slice(0, at))
  const numbers = [...listNumbers(text), ...listWordNumbers(text)].filter(
    ({ at, length }) => !isDate(at) && !isReference(at, length),
  )
  const namePlaces = listTermPlaces(text, name)
  const places =
    namePlaces.length > 0 && !isAsked ? namePlaces : [...namePlaces, ...listTermPlaces(text, question)]
  const between = (a: number, b: number) =>
    (text.slice(Math.min(a, b), Math.max(a, b)).match(/[;|]/g) ?? []).length * costs.otherItem
  const distance = (at: number) =>
    places.reduce(
      (sum, termPlaces) =>
        sum + Math.min(...termPlaces.map((place) => Math.abs(place - at) + between(place, at))),
      0,
    )
  const costOf = ({ value, at, length }: (typeof numbers)[number]) => {
    const isYear = /^(?:19|20)\d\d$/.test(value)
    // If a count is wanted, a number with a decimal point or a unit is less likely.
    const hasUnit =
      value.includes('.') || /^\s*(?:%|percent\b|degrees?\b|[a-zµ]{1,2}\b)/.test(text.slice(at + length))
    return distance(at) + (isYear ? costs.year : 0) + (counts && hasUnit ? costs.unit : 0)
  }
  return numbers.map((number) => ({ number, cost: costOf(number) })).sort((a, b) => a.cost - b.cost)[0]
    ?.number.value
}

/** Returns the positions of each term that occurs in the text. */
function listTermPlaces(text: string, terms: readonly ClaimTerm[]): number[][] {
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}-]+/gu)].map((match) => ({
    at: match.index,
    words: readTextWords(match[0]),
  }))
  return terms
    .map((term) => words.filter((word) => weighTerm(term, word.words) > 0).map(({ at }) => at))
    .filter((places) => places.length > 0)
}
