// Numbers of spreadsheets as they are shown: percent, currency, days, times and elapsed hours.
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { eachOpenTag } from './office-parts.ts'
import { formatSerialDate } from './spreadsheet-dates.ts'

export interface CellFormat {
  kind: 'date' | 'elapsed' | 'percent' | 'money'
  /** Shown before and after the number. */
  before: string
  after: string
}

const plain = { before: '', after: '' }

/** Formats that every program knows by their number. */
function knownFormat(id: number): CellFormat | undefined {
  if (id === 9 || id === 10) return { kind: 'percent', ...plain }
  if (id === 46) return { kind: 'elapsed', ...plain }
  return (id >= 14 && id <= 22) || id === 45 || id === 47 ? { kind: 'date', ...plain } : undefined
}

const signs = /[$€£¥₹₽₩₪₺฿]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|kr|zł|Kč|Ft|lei|руб\.?|R\$)(?!\p{L})/u

/** What a format code shows; undefined for plain numbers and text. */
function readFormatCode(code: string): CellFormat | undefined {
  const [first = ''] = code.slice(0, 1_000).split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return { kind: 'elapsed', ...plain }
  const bare = first.replace(/"[^"]*"|\[[^\]]*\]|\\.|[_*]./g, '')
  if (bare.includes('%')) return { kind: 'percent', ...plain }
  if (/[dmyhs]/i.test(bare) && !/[0#?]/.test(bare)) return { kind: 'date', ...plain }
  const shown = first
    .replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, '$1')
    .replace(/\[[^\]]*\]|[_*]./g, '')
    .replace(/["\\]/g, '')
  const number = /[#0?][#0?.,\s]*/.exec(shown)
  if (!number || !signs.test(shown)) return undefined
  const before = shown.slice(0, number.index)
  const after = shown.slice(number.index).replace(/^[#0?.,]+/, '')
  return { kind: 'money', before: before.trimStart(), after: after.trimEnd() }
}

/** Formats by the index of the style that a cell names. */
export async function readCellFormats(
  zip: ZipArchive,
  budget: ReadingBudget,
): Promise<Map<number, CellFormat>> {
  const own = new Map<number, CellFormat | undefined>()
  const formats = new Map<number, CellFormat>()
  let index = 0
  let isCellStyle = false
  await eachOpenTag(zip, 'xl/styles.xml', budget, (tag, attributes) => {
    if (tag === 'numFmt') own.set(Number(attributes.numFmtId), readFormatCode(attributes.formatCode ?? ''))
    if (tag === 'cellXfs' || tag === 'cellStyleXfs' || tag === 'cellStyles') isCellStyle = tag === 'cellXfs'
    if (tag !== 'xf' || !isCellStyle) return
    const id = Number(attributes.numFmtId)
    const format = own.has(id) ? own.get(id) : knownFormat(id)
    if (format) formats.set(index, format)
    index++
  })
  return formats
}

/** A number as people write it: 0.025 for 2.5000000000000001E-2, 0.3 for 0.30000000000000004. */
function plainNumber(value: string): string {
  const number = Number(value)
  if (!Number.isFinite(number) || !/\.\d{12,}|[eE]/.test(value)) return value
  const short = Number(number.toPrecision(12))
  // beyond these a number of digits says less than its exponent
  if (short !== 0 && (Math.abs(short) < 1e-12 || Math.abs(short) >= 1e21)) return String(short)
  return String(short).includes('e') ? short.toFixed(20).replace(/\.?0+$/, '') : String(short)
}

/** The value as its format shows it. No digit that the file has is rounded away. */
export function showNumber(value: string, format: CellFormat | undefined, from1904: boolean): string {
  const number = Number(value)
  if (!format || value === '' || !Number.isFinite(number)) return plainNumber(value)
  if (format.kind === 'percent') return `${plainNumber(String(Number((number * 100).toPrecision(12))))}%`
  if (format.kind === 'money') return `${format.before}${plainNumber(value)}${format.after}`
  if (format.kind === 'elapsed') return showElapsed(number)
  return formatSerialDate(number, from1904) ?? value
}

function showElapsed(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400)
  const two = (part: number) => String(part).padStart(2, '0')
  const clock = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(two)
  return `${days < 0 ? '-' : ''}${clock.join(':')}`
}
