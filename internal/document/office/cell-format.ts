// Numbers of spreadsheets as they are shown: percent, currency, days, times and elapsed hours.
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { eachOpenTag } from './office-parts.ts'
import { formatSerialDate } from './spreadsheet-dates.ts'

export interface CellFormat {
  kind: 'date' | 'elapsed' | 'percent' | 'number'
  /** Texts that are shown before and after the number. */
  before: string
  after: string
  /** Largest unit of an elapsed time. */
  unit?: 'h' | 'm' | 's'
  /** Divisor of the number: 1,000 for one comma after the last digit, 1,000,000 for two. Default: 1. */
  scale?: number
}

const plain = { before: '', after: '' }

/**
 * Ids of the built-in formats for dates and times. Ids 27 to 36 and from 50 on are those of Chinese,
 * Japanese, Korean and Thai programs.
 */
const dateRanges: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
]

/** Returns the built-in format with this id; undefined for plain numbers and other ids. */
function knownFormat(id: number): CellFormat | undefined {
  if ([9, 10, 67, 68].includes(id)) return { kind: 'percent', ...plain }
  if (id === 46) return { kind: 'elapsed', ...plain, unit: 'h' }
  return dateRanges.some(([from, to]) => id >= from && id <= to) ? { kind: 'date', ...plain } : undefined
}

const signs = /[$€£¥₹₽₩₪₺฿]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|kr|zł|Kč|Ft|lei|руб\.?|R\$)(?!\p{L})/u

/**
 * Returns the format of a format code, by its section for positive numbers; undefined for plain
 * numbers and text.
 */
export function readFormatCode(code: string): CellFormat | undefined {
  const first = firstSection(code.slice(0, 1_000))
  const elapsed = /\[([hms])+\]/i.exec(first)?.[1]?.toLowerCase()
  if (elapsed !== undefined) return { kind: 'elapsed', ...plain, unit: elapsed as 'h' | 'm' | 's' }
  const bare = first.replace(/"[^"]*"|\[[^\]]*\]|\\.|[_*]./g, '')
  if (bare.includes('%')) return { kind: 'percent', ...plain }
  // a format of a time has no digits, except for fractions of a second
  if (/[dmyhs]/i.test(bare) && !/[0#?]/.test(bare.replace(/s[.,]0+/gi, ''))) return { kind: 'date', ...plain }
  return readAffixes(first, bare)
}

/** Returns the section for positive numbers. A semicolon in quotes or after a backslash does not end it. */
const firstSection = (code: string) => /^(?:"[^"]*"|\[[^\]]*\]|\\.|[_*].|[^;"\\])*/s.exec(code)?.[0] ?? ''

/**
 * Returns the format with the currencies, units and other words before and after the digits; undefined
 * without them, and for a number with an exponent or in pieces.
 */
function readAffixes(first: string, bare: string): CellFormat | undefined {
  const cleanCode = first
    .replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, '"$1"')
    .replace(/\[[^\]]*\]|[_*]./g, '')
    .replace(/\\(.)/g, '"$1"')
  const parts = /^((?:"[^"]*"|[^"0#?])*)([0#?](?:[0#?.,/\s]|E[+-])*)(.*)$/su.exec(cleanCode)
  if (!parts) return undefined
  const [, head = '', digits = '', tail = ''] = parts
  // digits in the tail belong to a number that is written in pieces, such as a telephone number
  if (/[0#?]/.test(tail.replace(/"[^"]*"/g, ''))) return undefined
  const scale = 1_000 ** (/,*\s*$/.exec(digits.trimEnd())?.[0].trim().length ?? 0)
  const word = (text: string) => text.replace(/"/g, '')
  const before = word(head).trimStart()
  const after = `${/\s*$/.exec(digits)?.[0] ?? ''}${word(tail)}`.trimEnd()
  const isShown = /\p{L}|[%°]/u.test(`${before}${after}`) || signs.test(`${before}${after}`)
  if (!isShown || /[Ee][+-]/.test(bare)) return undefined
  return { kind: 'number', before, after, scale: scale > 1 ? scale : undefined }
}

/** Returns the formats of a workbook by the style index of a cell. A style of plain numbers has no entry. */
export async function readCellFormats(
  zip: ZipArchive,
  budget: ReadingBudget,
): Promise<Map<number, CellFormat>> {
  const customFormats = new Map<number, CellFormat | undefined>()
  const formats = new Map<number, CellFormat>()
  let index = 0
  let isCellStyle = false
  await eachOpenTag(zip, 'xl/styles.xml', budget, (tag, attributes) => {
    if (tag === 'numFmt')
      customFormats.set(Number(attributes.numFmtId), readFormatCode(attributes.formatCode ?? ''))
    if (tag === 'cellXfs' || tag === 'cellStyleXfs' || tag === 'cellStyles') isCellStyle = tag === 'cellXfs'
    if (tag !== 'xf' || !isCellStyle) return
    const id = Number(attributes.numFmtId)
    const format = customFormats.has(id) ? customFormats.get(id) : knownFormat(id)
    if (format) formats.set(index, format)
    index++
  })
  return formats
}

/**
 * Returns a number as people write it: 0.025 for 2.5000000000000001E-2, 0.3 for 0.30000000000000004. Changes
 * only numbers with an exponent or at least 12 decimal places; from 1e21 on and nearer to 0 than 1e-12 they
 * keep an exponent. A text that is not a number is unchanged.
 */
function plainNumber(value: string): string {
  const number = Number(value)
  if (!Number.isFinite(number) || !/\.\d{12,}|[eE]/.test(value)) return value
  const short = Number(number.toPrecision(12))
  // very small and very large numbers are easier to read with an exponent than with all their digits
  if (short !== 0 && (Math.abs(short) < 1e-12 || Math.abs(short) >= 1e21)) return String(short)
  return String(short).includes('e') ? short.toFixed(20).replace(/\.?0+$/, '') : String(short)
}

/**
 * Returns the value in its format, but with its decimal places, of which very long ones are rounded to 12
 * digits. Dates, times and elapsed times are rounded to the second. A value that is not a number, and a
 * number that is not a valid date, are returned unchanged.
 */
export function showNumber(value: string, format: CellFormat | undefined, from1904: boolean): string {
  const number = Number(value)
  if (!format || value === '' || !Number.isFinite(number)) return plainNumber(value)
  if (format.kind === 'percent') return `${plainNumber(String(Number((number * 100).toPrecision(12))))}%`
  if (format.kind === 'number') return showAmount(value, format)
  if (format.kind === 'elapsed') return showElapsed(number, format.unit)
  return formatSerialDate(number, from1904) ?? value
}

function showAmount(value: string, { before, after, scale = 1 }: CellFormat): string {
  const number = scale === 1 ? value : String(Number((Number(value) / scale).toPrecision(15)))
  const numberText = plainNumber(number)
  const sign = numberText.startsWith('-') ? '-' : ''
  return `${sign}${before}${numberText.slice(sign.length)}${after}`
}

/**
 * Returns a number of days as an elapsed time. The largest unit is not limited: 36 hours are `36:00:00`, or
 * `2160:00` in minutes.
 */
function showElapsed(days: number, unit: CellFormat['unit'] = 'h'): string {
  const seconds = Math.round(Math.abs(days) * 86_400)
  const two = (part: number) => String(part).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  const clocks = {
    h: [Math.floor(seconds / 3_600), minutes % 60, seconds % 60],
    m: [minutes, seconds % 60],
    s: [seconds],
  }
  return `${days < 0 ? '-' : ''}${clocks[unit].map(two).join(':')}`
}
