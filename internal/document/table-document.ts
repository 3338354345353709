// Reader of CSV and TSV files: one block for each row, with column names. Row 1 is the first row of the file,
// even if it contains the column names.
import { parse } from 'csv-parse'
import { messageOf } from '../base/errors.ts'
import { decodeAnyText, describeGuess } from '../base/text/detect-encoding.ts'
import { trimCut } from '../base/text/text-encoding.ts'
import { createBlockList, formatRow, namesColumns } from './block-list.ts'
import type { DocumentContent } from './document-text.ts'
import { collectBlocks, DocumentCut, type ReadingBudget, UnreadableDocument } from './reading-budget.ts'

/** Largest number of bytes that are read; the rest of a larger file is skipped. */
const maxTableBytes = 8 << 20
const maxRowBytes = 256 << 10
const stepChars = 65_536

export async function readTableDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const part = bytes.length > maxTableBytes ? trimCut(bytes.subarray(0, maxTableBytes)) : bytes
  const decoded = await decodeAnyText(part)
  if (!decoded) throw new UnreadableDocument('it is not text in a known encoding')
  const text = decoded.text.replace(/^\ufeff/, '')
  const guess = describeGuess(decoded)
  const list = createBlockList(budget)
  const content = await collectBlocks(list, async () => {
    let columns: string[] | undefined
    let n = 0
    for await (const row of rowsOf(text, budget)) {
      n++
      const isHead = n === 1 && namesColumns(row)
      if (isHead) columns = row
      list.add(formatRow(row, isHead ? undefined : columns), () => `row ${n}`)
    }
    if (bytes.length > maxTableBytes) throw new DocumentCut(`the first ${n} rows, ${maxTableBytes >> 20} MiB`)
    return {}
  })
  return { ...content, notes: guess === undefined ? undefined : [guess] }
}

/** Yields the rows. Then throws DocumentCut if the parser failed before the end of the text. */
async function* rowsOf(text: string, budget: ReadingBudget): AsyncGenerator<string[]> {
  const rows: string[][] = []
  let failure: unknown
  let n = 0
  const parser = parse({
    delimiter: guessDelimiter(text),
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRowBytes,
    // a stream that fails drops its buffered rows, so rows are collected as they arrive
    on_record(row: string[]) {
      rows.push(row)
      n++
      return null
    },
  })
  parser.once('error', (error) => {
    failure = error
  })
  const closed = new Promise<void>((resolve) => parser.once('close', resolve))
  parser.resume()
  for (let at = 0; at < text.length && failure === undefined; at += stepChars) {
    parser.write(text.slice(at, at + stepChars))
    await budget.pause()
    yield* rows.splice(0)
  }
  parser.end()
  await closed
  yield* rows.splice(0)
  // the parser fails at an unclosed quote mark, because that cell would include the rest of the file, and at
  // a row above `maxRowBytes`
  if (failure !== undefined)
    throw new DocumentCut(`the first ${n} rows: ${messageOf(failure).split('\n')[0]}`)
}

const delimiters = [',', ';', '\t', '|']

/**
 * Returns the delimiter that occurs most often in the first line outside of quote marks; a comma if that line
 * contains no delimiter.
 */
function guessDelimiter(text: string): string {
  const line =
    text
      .slice(0, 65_536)
      .split(/\r?\n/, 1)[0]
      ?.replace(/"[^"]*"/g, '') ?? ''
  const counts = delimiters.map((one) => line.split(one).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}
