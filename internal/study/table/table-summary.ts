// Summary of a table: at most ten lines, which a model writes. It gets the rows in pages.
import { countNoun } from '../../base/text/count-noun.ts'
import type { CoordinatorLease } from '../coordinator/coordinator-lease.ts'
import { makeStudyEntry, type StudyEntries } from '../log/entries.ts'
import { foldTable, isFilled, type StudyTable, type StudyTableRow } from '../report/table/study-table.ts'
import about from './summary-prompt.md'
import { openTableSession } from './table-session.ts'

/** Number of rows that the model gets at once. */
const pageRows = 50

/** Largest number of lines of a summary. Further lines are dropped. */
const maxLines = 10

/**
 * Writes the report of the table to the log: the model's summary, or only the counts. Writes nothing if the
 * study was cancelled before a model (not `rules`) returned a summary.
 */
export async function summarizeTable(lease: CoordinatorLease): Promise<void> {
  const { log, lead } = lease
  const { state } = log
  const table = foldTable(state)
  const isByModel = lead.model.kind !== 'rules' && table.counts.filled > 0
  const summary = isByModel ? await summarizeRows(lease, table) : undefined
  if (lead.model.kind !== 'rules' && summary === undefined && (await lease.check())?.why === 'cancelled')
    return
  const failed = isByModel ? 'no summary' : 'by rules'
  const report: StudyEntries['report'] =
    summary === undefined
      ? { markdown: `## Answer\n\n${describeCounts(table)}\n`, failed, uncited: 0 }
      : { markdown: summary, uncited: 0 }
  const key = state.reports === 0 ? 'report' : `report${state.reports + 1}`
  await lease.write(makeStudyEntry('report', report, key))
}

const describeCounts = ({ counts }: StudyTable): string =>
  `${countNoun(counts.documents, 'document')}, ${counts.filled} of ${countNoun(counts.cells, 'cell')} filled.`

async function summarizeRows(lease: CoordinatorLease, table: StudyTable): Promise<string | undefined> {
  const { lead, log, gone: goneSignal, fence, cut: cutSignal } = lease
  const rows = table.rows.filter(({ why }) => why === null)
  const pages = Array.from({ length: Math.ceil(rows.length / pageRows) }, (_, i) =>
    rows.slice(i * pageRows, (i + 1) * pageRows),
  )
  const { ctx } = await lead.setUpRole('plan', goneSignal)
  const host = { journal: lead.journal, head: log.state.head, fence, model: lead.model, ctx, cut: cutSignal }
  const head = `Question: ${table.question}`
  const ask = async (key: string, material: string): Promise<string | undefined> => {
    const prompt = { key, system: about, opening: `${head}\n\n${material}`, purpose: 'synthesise' as const }
    const lines = log.lines.filter(({ data }) => data['task'] === key)
    const end = await openTableSession({ ...host, check: lease.check }, prompt, lines).run()
    const text = 'text' in end ? end.text.trim() : ''
    return text === '' ? undefined : keepLines(text)
  }
  const number = log.state.reports === 0 ? '' : `${log.state.reports + 1}`
  const parts: string[] = []
  for (const [i, page] of pages.entries()) {
    const key = pages.length === 1 ? `report${number}` : `report${number}.${i + 1}`
    const part = await ask(key, `Rows:\n${page.map((row) => describeRow(row, table)).join('\n')}`)
    if (part === undefined) return undefined
    parts.push(part)
  }
  if (parts.length === 1) return parts[0]
  return ask(`report${number}`, `Summaries of parts of the table:\n\n${parts.join('\n\n')}`)
}

/**
 * Returns a row as one line of JSON with the values of its cells, each cut at 300 characters; null for an
 * empty cell. A summary does not need the quotes.
 */
function describeRow({ document, cells }: StudyTableRow, { columns }: StudyTable): string {
  const values = columns.map(({ name }, i) => {
    const cell = cells[i] ?? null
    return [name, isFilled(cell) ? cell.value.slice(0, 300) : null]
  })
  return JSON.stringify({ document, ...Object.fromEntries(values) })
}

const keepLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, maxLines)
    .join('\n')
