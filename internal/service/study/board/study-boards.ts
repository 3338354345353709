// Studies for the server, from one connection to their journal that opens at its first use.
import type { EnvironmentVariables } from '../../../base/environment.ts'
import type { StudyAccess } from '../../../server/backend.ts'
import type { EvidenceLines, StudyRecord } from '../../../session/board/study-board.ts'
import { listJournalLines } from '../../../store/journal/lines.ts'
import type { LocalJournal } from '../../../store/journal/sqlite.ts'
import { openJournal } from '../../../store/journal/sqlite.ts'
import { addStudyDetail, foldStudyBoard } from '../../../study/board/fold-board.ts'
import { foldStudy } from '../../../study/log/state.ts'
import { toProgressRecord } from '../../../study/progress/progress-record.ts'
import { renderStudy } from '../../../study/report/markdown.ts'
import { foldTable } from '../../../study/report/table/study-table.ts'
import { renderTableMarkdown } from '../../../study/report/table/table-pages.ts'
import { parseLineRanges } from '../../../study/verify/source-reader.ts'
import { isAbandoned } from '../known-studies.ts'

const loadControl = () => import('./study-control.ts')

interface StudyBoards extends Omit<StudyAccess, 'list' | 'start'> {
  close(): Promise<void>
}

/**
 * Largest number of entries that one call of `records` returns. A further call with a higher `after` returns
 * the next ones.
 */
const maxRecords = 500

export function openStudyBoards(data: string, env: EnvironmentVariables): StudyBoards {
  let opened: Promise<LocalJournal> | undefined
  const journal = () => {
    opened ??= openJournal(data)
    return opened
  }
  const linesOf = async (id: string) => {
    const studyJournal = await journal()
    const lines = hasStudy(studyJournal, id) ? await listJournalLines(studyJournal, id) : []
    return lines[0]?.kind === 'study' ? lines : undefined
  }
  const stateOf = async (id: string) => {
    const lines = await linesOf(id)
    return lines && foldStudy(lines)
  }
  return {
    async board(id) {
      const lines = await linesOf(id)
      if (!lines) return undefined
      const state = foldStudy(lines)
      return addStudyDetail(foldStudyBoard(state, isAbandoned(state)), state, lines)
    },
    async records(id, after) {
      const studyJournal = await journal()
      if (!hasStudy(studyJournal, id)) return undefined
      return (await studyJournal.read(id, after, maxRecords)).map(
        (line) => toProgressRecord(line) as StudyRecord,
      )
    },
    async evidence(id, evidence) {
      const filed = (await stateOf(id))?.evidence.get(evidence)
      return filed && numberLines(filed)
    },
    async report(id) {
      const state = await stateOf(id)
      if (!state?.head.table) return state && renderStudy(state)
      return renderTableMarkdown(foldTable(state))
    },
    async cancel(id, isForced) {
      if (!hasStudy(await journal(), id)) return undefined
      const { endStudy } = await loadControl()
      return endStudy(id, isForced, { data, env })
    },
    async stopWorker(id, task) {
      const studyJournal = await journal()
      if (!hasStudy(studyJournal, id)) return undefined
      const { endWorker } = await loadControl()
      return endWorker(studyJournal, id, task)
    },
    close: async () => (await opened)?.close(),
  }
}

/** Returns true if the study exists. Programs must pass the full ID; only users may shorten it. */
const hasStudy = ({ studies }: LocalJournal, id: string) =>
  /^\w{20,40}$/.test(id) && studies.find(id, '').some((study) => study.id === id)

function numberLines(filed: {
  id: string
  canonical: string
  locator: string
  excerpt: string
}): EvidenceLines {
  const { id, canonical: source, locator, excerpt } = filed
  const lines = excerpt.replace(/\n$/, '').split('\n')
  const numbers = (parseLineRanges(locator) ?? []).flatMap(({ from, to }) =>
    Array.from({ length: Math.min(to - from + 1, lines.length) }, (_, i) => from + i),
  )
  return { id, source, locator, lines: lines.map((text, at) => ({ n: numbers[at] ?? null, text })) }
}
