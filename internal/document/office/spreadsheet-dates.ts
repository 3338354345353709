// Dates of spreadsheets: which styles show a number as one, and what the number says.

import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { eachOpenTag } from './office-parts.ts'

/** Formats that every program knows by their number. */
const isKnownDate = (format: number) => (format >= 14 && format <= 22) || (format >= 45 && format <= 47)

/** Indexes of cell styles whose numbers are days. */
export async function dateStyles(zip: ZipArchive, budget: ReadingBudget): Promise<Set<number>> {
  const own = new Set<number>()
  const found = new Set<number>()
  let index = 0
  let isCellStyle = false
  await eachOpenTag(zip, 'xl/styles.xml', budget, (tag, attributes) => {
    if (tag === 'numFmt' && isDateFormat(attributes.formatCode ?? '')) own.add(Number(attributes.numFmtId))
    if (tag === 'cellXfs' || tag === 'cellStyleXfs' || tag === 'cellStyles') isCellStyle = tag === 'cellXfs'
    if (tag !== 'xf' || !isCellStyle) return
    const format = Number(attributes.numFmtId)
    if (isKnownDate(format) || own.has(format)) found.add(index)
    index++
  })
  return found
}

/** Letters of days and times outside of quotes and brackets. */
function isDateFormat(code: string): boolean {
  const bare = code.slice(0, 1_000).replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
  return /[dmyhs]/i.test(bare) && !/[0#?]/.test(bare)
}

const dayMs = 86_400_000

/** ISO form; the time only where there is one. Undefined for a number that is no day. */
export function formatSerialDate(serial: number, from1904: boolean): string | undefined {
  // the count of 1900 has a 29 February that never was
  const epoch = from1904 ? 24_107 : serial < 60 ? 25_568 : 25_569
  const ms = Math.round((serial - epoch) * 86_400) * 1_000
  if (!Number.isFinite(ms) || serial < 0 || Math.abs(ms) > 8e14) return undefined
  const text = new Date(ms).toISOString()
  if (serial < 1) return text.slice(11, 19)
  return ms % dayMs === 0 ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}
