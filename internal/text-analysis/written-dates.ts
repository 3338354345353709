// Finder of dates in a text, which it returns as a day, a month or a year in ISO form.
import { once } from '../base/once.ts'

interface WrittenDate {
  /** The date in ISO form: `2021-03-04`, `2021-03` or `2021`. */
  iso: string
  /** Index of the date in the text. */
  at: number
  length: number
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|' +
  'oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const day = '(\\d{1,2})(?:st|nd|rd|th)?'
const year = '((?:1[5-9]|20)\\d{2})'

/** Patterns of dates, longer forms first. Each has the order of year, month and day in its groups. */
const forms = once((): readonly (readonly [RegExp, string])[] => [
  [new RegExp(`\\b${year}-(\\d{2})-(\\d{2})\\b`, 'g'), 'ymd'],
  [new RegExp(`\\b${day}\\s+(?:of\\s+)?${month},?\\s+${year}\\b`, 'gi'), 'dMy'],
  [new RegExp(`\\b${month}\\s+${day},?\\s+${year}\\b`, 'gi'), 'Mdy'],
  [new RegExp(`\\b(\\d{1,2})\\.\\s?(\\d{1,2})\\.\\s?${year}\\b`, 'g'), 'dmy'],
  [new RegExp(`\\b${year}-(\\d{2})\\b`, 'g'), 'ym'],
  [new RegExp(`\\b${month},?\\s+${year}\\b`, 'gi'), 'My'],
  [new RegExp(`(?<![\\d.,])\\b${year}\\b(?![.,]?\\d)`, 'g'), 'y'],
])

/** Returns the dates of a text in their order. A part of a longer date is not another date. */
export function listDates(text: string): WrittenDate[] {
  const out: WrittenDate[] = []
  for (const [form, order] of forms()) {
    for (const match of text.matchAll(form)) {
      const at = match.index
      const length = match[0].length
      if (out.some((one) => at < one.at + one.length && one.at < at + length)) continue
      const iso = toIso(match.slice(1), order)
      if (iso !== undefined) out.push({ iso, at, length })
    }
  }
  return out.sort((a, b) => a.at - b.at)
}

function toIso(groups: readonly string[], order: string): string | undefined {
  const part = (letter: string) => groups[order.indexOf(letter)]
  const named = part('M')?.slice(0, 3).toLowerCase()
  const monthNumber = named === undefined ? Number(part('m')) : months.indexOf(named) + 1
  const dayNumber = Number(part('d'))
  const parts = [part('y') ?? '']
  if (/m/i.test(order)) {
    if (monthNumber < 1 || monthNumber > 12) return undefined
    parts.push(String(monthNumber).padStart(2, '0'))
  }
  if (order.includes('d')) {
    if (dayNumber < 1 || dayNumber > 31) return undefined
    parts.push(String(dayNumber).padStart(2, '0'))
  }
  return parts.join('-')
}
