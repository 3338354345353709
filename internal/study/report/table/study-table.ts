// Table of a study with one row per document, computed from the state of the study.
import { tokenFields } from '../../../base/text/token-kinds.ts'
import { decideExitCode } from '../../log/outcome.ts'
import type { StudyState } from '../../log/state.ts'
import type { RowCell, StudyColumn, TableFile } from '../../log/table-entries.ts'
import { nameOutcome, type TaskState } from '../../log/task-end.ts'

export interface StudyTableRow {
  document: string
  sha256: string
  /**
   * One cell for each column; null without a cell. A cell can be rejected or have no value; see `isFilled`.
   */
  cells: (RowCell | null)[]
  /** Reason why the document was not read; null if it was. */
  why: string | null
}

export interface StudyTable {
  id: string
  question: string
  outcome: string
  reason: string | null
  exit: number
  model: string
  created: string
  columns: readonly StudyColumn[]
  rows: StudyTableRow[]
  same: readonly { path: string; as: string }[]
  counts: TableCounts
  /** Summary of the table by a model; null without one. */
  summary: string | null
  tokens: number
  usage: ReturnType<typeof tokenFields>
  usd: number | null
}

interface TableCounts {
  documents: number
  /** Number of documents with a reason in `why`: unreadable, failed, or not read yet. */
  unread: number
  cells: number
  filled: number
  empty: number
  /**
   * Number of cells that are empty because they were rejected, for example because their quote was not found.
   */
  not_found: number
  /**
   * Number of filled cells with the state `verified`. `quoted` is the number of those with
   * the state `quoted`.
   */
  verified: number
  quoted: number
}

/** Returns true if a cell has a value and was not rejected. */
export const isFilled = (cell: RowCell | null): cell is RowCell =>
  cell !== null && cell.value !== '' && cell.state !== 'not_found'

/** Returns the table. Throws if the study has no table. */
export function foldTable(state: StudyState): StudyTable {
  const { head, status, reason, usage, table, report } = state
  if (!head.table) throw new Error(`study ${head.id} has no table`)
  const { columns } = head.table
  const { files, same } = table?.documents ?? { files: [], same: [] }
  const tasks = tasksByFile(state)
  const rows = files.map((file) => foldRow(file, tasks.get(keyOf(file)), state, columns))
  return {
    id: head.id,
    question: head.question,
    outcome: nameOutcome({ model: head.model, status, reason }),
    reason: reason ?? null,
    exit: decideExitCode(state),
    model: head.model.name,
    created: new Date(head.created).toISOString(),
    columns,
    rows,
    same,
    counts: countCells(rows),
    summary: report && report.failed === undefined ? report.markdown : null,
    tokens: usage.input + usage.output,
    usage: tokenFields(usage),
    usd: usage.usd,
  }
}

const keyOf = ({ path, sha256 }: TableFile) => `${sha256} ${path}`

function tasksByFile({ tasks }: StudyState): Map<string, TaskState> {
  return new Map(
    [...tasks.values()].flatMap((at): [string, TaskState][] =>
      at.task.document ? [[keyOf(at.task.document), at]] : [],
    ),
  )
}

function foldRow(
  { path, sha256 }: TableFile,
  at: TaskState | undefined,
  { table }: StudyState,
  columns: readonly StudyColumn[],
): StudyTableRow {
  const row = at && table?.rows.get(at.task.id)
  const cells = columns.map(({ name }) => row?.cells.find(({ column }) => column === name) ?? null)
  const why = row ? (row.why ?? null) : describeMissing(at)
  return { document: path, sha256, cells, why }
}

/** Returns the reason why a document has no row. */
function describeMissing(at: TaskState | undefined): string {
  if (at?.notRun !== undefined) return `not read: ${at.notRun}`
  if (!at?.result) return 'not read yet'
  const { reason = at.result.end, detail } = at.result
  return detail === undefined ? reason : `${reason}: ${detail}`
}

function countCells(rows: readonly StudyTableRow[]): TableCounts {
  const cells = rows.flatMap((row) => row.cells)
  const filled = cells.filter(isFilled)
  const count = (state: RowCell['state']) => filled.filter((cell) => cell.state === state).length
  return {
    documents: rows.length,
    unread: rows.filter(({ why }) => why !== null).length,
    cells: cells.length,
    filled: filled.length,
    empty: cells.length - filled.length,
    not_found: cells.filter((cell) => cell?.state === 'not_found').length,
    verified: count('verified'),
    quoted: count('quoted'),
  }
}
