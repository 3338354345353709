// Check of the cells of a stored table: each quote is in its evidence, contains its value, and is still
// in its document.
import { fingerprint } from '../../base/fingerprint.ts'
import type { ClaimState, ClaimVerdict, StudyEvidence } from '../log/entries.ts'
import type { StudyState } from '../log/state.ts'
import type { RowCell, StudyColumn } from '../log/table-entries.ts'
import { foldTable } from '../report/table/study-table.ts'
import { containsQuote } from '../verify/quotation.ts'
import { checkCell } from './cell-check.ts'
import { locateQuote, readTableDocument, type TableDocument } from './table-document.ts'

/** Fault of a cell. `value_missing`: its value has another form than the column, or is not in its quote. */
type CellFault = NonNullable<ClaimVerdict['reason']> | 'value_missing'

interface CellVerdict {
  document: string
  column: string
  place: string
  state: ClaimState
  verified: boolean
  reason?: CellFault
  /** Whether the document has changed since its row was written. This is a note, and not a failure. */
  sourceChanged: boolean
}

export interface TableVerification {
  /** One verdict for each cell that was not rejected, in the order of the table. */
  verdicts: CellVerdict[]
  /**
   * Share of the checked cells that the check did not find false (state `verified` or `quoted`);
   * null without any.
   */
  accuracy: number | null
  /** Share of the checked cells that are verified; null without any. */
  support: number | null
}

/** Checks the cells of a table. Rejected cells are empty in the table, so they are not checked. */
export async function verifyTable(state: StudyState, signal: AbortSignal): Promise<TableVerification> {
  const { columns, rows } = foldTable(state)
  const { question, root } = state.head
  const verdicts: CellVerdict[] = []
  for (const { document: path, sha256, cells } of rows) {
    const checked = cells.flatMap((cell) => (cell !== null && cell.state !== 'not_found' ? [cell] : []))
    if (checked.length === 0) continue
    const read = await readTableDocument(root, path, signal)
    const now = 'why' in read ? undefined : read
    const isChanged = now !== undefined && now.sha256 !== sha256
    const current = isChanged ? undefined : now
    for (const cell of checked) {
      const column = columns.find(({ name }) => name === cell.column)
      if (!column) continue
      const filed = cell.evidence === undefined ? undefined : state.evidence.get(cell.evidence)
      const verdict = checkFiledCell({ path, column, cell, filed, current, question })
      const { column: name, place } = cell
      const isVerified = verdict.state === 'verified'
      verdicts.push({
        document: path,
        column: name,
        place,
        ...verdict,
        verified: isVerified,
        sourceChanged: isChanged,
      })
    }
  }
  const share = (counts: (verdict: CellVerdict) => boolean) =>
    verdicts.length === 0 ? null : verdicts.filter(counts).length / verdicts.length
  const accuracy = share((verdict) => verdict.state !== 'not_found')
  return { verdicts, accuracy, support: share(({ verified }) => verified) }
}

interface FiledCell {
  path: string
  column: StudyColumn
  cell: RowCell
  filed: StudyEvidence | undefined
  /** The document, if it is unchanged and readable. */
  current: TableDocument | undefined
  question: string
}

function checkFiledCell(filed: FiledCell): Pick<CellVerdict, 'state' | 'reason'> {
  const { path, column, cell, filed: evidence, current, question } = filed
  const reject = (reason: CellFault) => ({ state: 'not_found' as const, reason })
  if (!evidence) return reject('no_evidence')
  const { excerpt, excerptSha256, heading, locator } = evidence
  if (fingerprint(excerpt) !== excerptSha256) return reject('excerpt_damaged')
  if (!containsQuote(excerpt, cell.quote)) return reject('quote_missing')
  if (current) {
    const place = locateQuote(current, cell.quote)?.place
    if (place !== cell.place || place !== locator) return reject('locator_wrong')
  }
  // if rules could not decide a value, the cell has only a quote, which is checked as a text
  const isQuoteOnly = cell.value === ''
  const answer = { value: isQuoteOnly ? cell.quote : cell.value, quote: cell.quote }
  const type = isQuoteOnly ? { ...column, type: 'text' as const } : column
  const document = { path, sha256: '', blocks: [{ text: excerpt, place: locator, heading }] }
  const { cell: judged } = checkCell(type, answer, question, document)
  if (judged.state === 'not_found') return reject('value_missing')
  const state = isQuoteOnly ? 'quoted' : judged.state
  return state === 'verified' ? { state } : { state, reason: 'unsupported' }
}
