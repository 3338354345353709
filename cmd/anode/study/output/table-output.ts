// A study with one row per document (a table): its request, its output on standard output, and its file.

import { UserError } from '../../../../internal/base/errors.ts'
import { sanitizeText } from '../../../../internal/render/text/terminal-filter.ts'
import type { StudyRequest } from '../../../../internal/service/study/request.ts'
import { startTableStudy, type TableStudyRequest } from '../../../../internal/service/study/start-table.ts'
import { checkTable } from '../../../../internal/service/study/verification.ts'
import { describeDoubt, describeMissingRow } from '../../../../internal/session/board/study-words.ts'
import type { StudyState } from '../../../../internal/study/log/state.ts'
import { isStudyReport } from '../../../../internal/study/report/earlier-report.ts'
import { foldTable, isFilled, type StudyTable } from '../../../../internal/study/report/table/study-table.ts'
import { isTableCsv, renderTableCsv } from '../../../../internal/study/report/table/table-csv.ts'
import {
  describeTable,
  renderTableHtml,
  renderTableMarkdown,
} from '../../../../internal/study/report/table/table-pages.ts'
import { exitCodes } from '../../exit-codes.ts'
import { readNumber } from '../../flags.ts'
import { refuseForeignFile } from '../../io/earlier-output.ts'
import { formatJson } from '../../io/json.ts'
import { type OutputFile, readOutputFile, writeOutputFile } from '../../io/output-file.ts'
import { fitLines } from '../../io/prose.ts'
import { writeText } from '../../io/streams.ts'
import { formatTable } from '../../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg } from '../../verb.ts'

export { startTableStudy }

type TableFormat = 'csv' | 'html' | 'md' | 'json'

const formatOfEnding: Readonly<Record<string, TableFormat>> = {
  '.csv': 'csv',
  '.html': 'html',
  '.htm': 'html',
  '.md': 'md',
  '.markdown': 'md',
  '.json': 'json',
}

/** Options that a table does not support, each with the reason. */
const foreign: Readonly<Record<string, string>> = {
  plan: 'each document is one task',
  'plan-only': 'each document is one task',
  baseline: 'each document has one worker',
  'min-citation': 'a cell whose quote is not found stays empty',
  'min-support': 'a cell whose quote is not found stays empty',
  full: 'the table is printed whole',
}

/** Returns the request for a table. Throws UserError for options that a table does not support. */
export function readTableRequest(args: CommandArgs, request: StudyRequest): TableStudyRequest {
  for (const [name, why] of Object.entries(foreign)) {
    if (args[name] !== undefined && args[name] !== false)
      throw new UserError(`--each does not go with --${name}: ${why}`, { hint: `omit --${name}` })
  }
  if (request.sources.some((source) => source !== 'repo'))
    throw new UserError('--each does not go with --sources: a row rests on its document alone', {
      hint: 'omit --sources',
    })
  const sample = readNumber(args, 'sample', 1)
  return { ...request, documents: stringArg(args, 'each') ?? '', columns: stringArg(args, 'columns'), sample }
}

/**
 * Returns the functions that write a table. Before the study starts, throws UserError if the file of the flag
 * `-o` cannot be used.
 */
export function createTableForm(args: CommandArgs, io: CommandIo) {
  const file = readTableFile(args, io)
  return {
    async write(state: StudyState) {
      if (file) await writeTableFile(foldTable(state), file, io)
    },
    draw: async (state: StudyState) =>
      flagArg(args, 'json') ? formatJson(toJson(foldTable(state)), 2) : drawTable(foldTable(state), io),
    exit: (state: StudyState) => foldTable(state).exit,
  }
}

/**
 * Prints the table of a stored study, or writes it to a file. Throws UserError for a format that a table
 * cannot have, for `--cite`, and for a file that cannot be written or is not an earlier output of a study.
 */
export async function printTable(args: CommandArgs, io: CommandIo, state: StudyState): Promise<number> {
  const requestedFormat = flagArg(args, 'json') ? 'json' : stringArg(args, 'format')
  const format = requestedFormat === 'text' ? undefined : requestedFormat
  if (format !== undefined && !Object.values(formatOfEnding).includes(format as TableFormat))
    throw new UserError(`a table cannot be ${format}`, { hint: 'a table can be csv, html, md, json or text' })
  if (stringArg(args, 'cite') !== undefined)
    throw new UserError('a table has no list of references', { hint: 'omit --cite' })
  const file = readTableFile(args, io, format as TableFormat | undefined)
  const table = foldTable(state)
  if (file) await writeTableFile(table, file, io)
  else
    await writeText(
      io.stdout,
      format === undefined ? await drawTable(table, io) : renderTable(table, format as TableFormat),
    )
  return exitCodes.done
}

/**
 * Checks the cells of a stored table again, as `anode study verify` checks claims, and prints the result.
 * Returns the exit code: 1 for a table without cells, 5 for a share below its bound, else 0. Throws UserError
 * for `--judge` and for an invalid bound.
 */
export async function verifyTableCells(args: CommandArgs, io: CommandIo, state: StudyState): Promise<number> {
  if (args['judge'] !== undefined)
    throw new UserError('a table has no claims for a judge', { hint: 'omit --judge' })
  const least = {
    citation: readNumber(args, 'min-citation', 0, 1, false) ?? state.head.minCitation,
    support: readNumber(args, 'min-support', 0, 1, false) ?? state.head.minSupport ?? 0,
  }
  const { verdicts, accuracy, support } = await checkTable(state, io.signal)
  if (flagArg(args, 'json')) {
    const cells = verdicts.map(({ sourceChanged, ...rest }) => ({ ...rest, source_changed: sourceChanged }))
    const shares = { citation_accuracy: accuracy, support }
    const limits = { min_citation: least.citation, min_support: least.support }
    await writeText(io.stdout, formatJson({ id: state.head.id, ...shares, ...limits, cells }))
  } else {
    const head = ['document', 'column', 'state', 'place']
    const rows = verdicts.map(({ document, column, state: cellState, reason, place, sourceChanged }) => {
      const note = sourceChanged ? '  source changed since' : ''
      const words = { verified: 'verified', quoted: 'in other words', not_found: describeDoubt(reason) }
      return [document, column, words[cellState], `${place}${note}`]
    })
    const share = accuracy === null ? 'unknown: the table has no cells' : accuracy.toFixed(2)
    const about = [
      `citation accuracy ${share}, at least ${least.citation} wanted`,
      ...(support === null ? [] : [`support ${support.toFixed(2)}, at least ${least.support} wanted`]),
    ]
    const text = rows.length === 0 ? '' : `${await formatTable(head, rows, io)}\n`
    await writeText(io.stdout, `${text}${fitLines(`${about.join('\n')}\n`, io)}`)
  }
  if (accuracy === null) return exitCodes.failed
  const isShort = accuracy < least.citation || (support ?? 0) < least.support
  return isShort ? exitCodes.unverified : exitCodes.done
}

/** Largest number of bytes of an existing file that are read to recognize an earlier table. */
const maxTableBytes = 64 * 1024 * 1024

function readTableFile(
  args: CommandArgs,
  io: CommandIo,
  format?: TableFormat,
): OutputFile<TableFormat> | undefined {
  const name = stringArg(args, 'output')
  if (name === undefined) return undefined
  const file = readOutputFile(name, io, { what: 'a table', endings: formatOfEnding }, format)
  const isOwn = (bytes: Buffer) => isTableCsv(bytes.toString('utf8')) || isStudyReport(bytes)
  refuseForeignFile(file, { what: 'table of a study', isOwn, maxBytes: maxTableBytes })
  return file
}

async function writeTableFile(
  table: StudyTable,
  file: OutputFile<TableFormat>,
  io: CommandIo,
): Promise<void> {
  await writeOutputFile(file, Buffer.from(renderTable(table, file.format)), io)
}

function renderTable(table: StudyTable, format: TableFormat): string {
  switch (format) {
    case 'csv':
      return renderTableCsv(table)
    case 'html':
      return renderTableHtml(table)
    case 'md':
      return renderTableMarkdown(table)
    case 'json':
      return formatJson(toJson(table), 2)
  }
}

/** Returns the table for JSON, with the cells of each row by column name; a missing cell is null. */
function toJson({ columns, rows, ...rest }: StudyTable) {
  const cellsOf = (cells: StudyTable['rows'][number]['cells']) =>
    Object.fromEntries(
      columns.map(({ name }, i) => {
        const { value, quote, place, state } = cells[i] ?? {}
        return [name, cells[i] ? { value, quote, place, state } : null]
      }),
    )
  const { id, ...others } = rest
  return {
    version: 1,
    id,
    ...others,
    columns,
    rows: rows.map((row) => ({ ...row, cells: cellsOf(row.cells) })),
  }
}

/**
 * Largest number of characters of a value, or of the reason for an empty row, in the printed table; longer
 * texts are shortened.
 */
const maxShown = 60

/** Returns the table as text, followed by its counts and, if the study has one, the summary. */
async function drawTable(table: StudyTable, io: CommandIo): Promise<string> {
  const { columns, rows, summary, model } = table
  const head = ['document', ...columns.map(({ name }) => name)]
  const lines = rows.map(({ document, cells, why }) => [
    document,
    ...cells.map((cell, i) => {
      if (why !== null) return i === 0 ? `(${shortenCell(describeMissingRow(why))})` : ''
      return isFilled(cell) ? shortenCell(cell.value) : '-'
    }),
  ])
  const text = await formatTable(head, lines, io)
  // sanitizeText joins lines, so each line of the summary is passed alone
  const summaryLines = summary === null ? [] : ['', `Summary by ${model}:`, ...summary.split('\n')]
  const about = [describeTable(table), ...summaryLines]
  return `${text}\n${fitLines(`${about.map((line) => sanitizeText(line)).join('\n')}\n`, io)}`
}

const shortenCell = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length > maxShown ? `${flat.slice(0, maxShown - 1)}…` : flat
}
