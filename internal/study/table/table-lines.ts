// Journal lines that give the documents of a table a task: at the start for all, and at a resume for those
// that are new, changed or missing.
import type { NewJournalLine } from '../../store/journal/journal.ts'
import { makeStudyEntry, type StudyHead, type StudyTask } from '../log/entries.ts'
import type { StudyState } from '../log/state.ts'
import type { TableFile, TableFiles } from '../log/table-entries.ts'

type StartedTable = Pick<StudyState, 'head' | 'plan' | 'tasks' | 'table'>

/**
 * Returns the journal lines that `documents` still need: a changed list, tasks for new or changed documents,
 * and reopened tasks that are over without a row. If the study has no plan yet, a plan has the tasks for all
 * documents. Before the study is stored, `state` contains only its first entry.
 */
export function listTableLines(state: StartedTable, documents: TableFiles): NewJournalLine[] {
  const { head, plan, tasks, table } = state
  const isSame = JSON.stringify(table?.documents) === JSON.stringify(documents)
  const lines = isSame ? [] : [makeStudyEntry('documents', documents)]
  if (!plan) return [...lines, makeStudyEntry('plan', planTable(head, documents), 'plan')]
  const taskStates = [...tasks.values()]
  let number = taskStates.length
  const work = documents.files.flatMap((file): NewJournalLine[] => {
    const fileTasks = taskStates.filter(({ task }) => task.document?.path === file.path)
    const same = fileTasks.find(({ task }) => task.document?.sha256 === file.sha256)
    if (same) {
      const isMissing =
        !table?.rows.has(same.task.id) && (same.status === 'ended' || same.status === 'not_run')
      return isMissing ? [makeStudyEntry('task.reopened', { task: same.task.id })] : []
    }
    number++
    const why = fileTasks.length > 0 ? 'the document has changed' : 'the document is new'
    return [makeStudyEntry('task.added', { task: createRowTask(head, file, number), why })]
  })
  return [...lines, ...work]
}

function planTable(head: StudyHead, { files }: TableFiles) {
  const tasks = files.map((file, i) => createRowTask(head, file, i + 1))
  return { tasks, dropped: [], notices: [], of: 'rules' as const }
}

function createRowTask(head: StudyHead, document: TableFile, number: number): StudyTask {
  return {
    id: `t${number}`,
    kind: 'work',
    objective: document.path,
    terms: [],
    sources: head.sources,
    boundaries: '',
    output: 'the cells of one row',
    stop: 'each column is filled or not stated',
    dependsOn: [],
    document,
  }
}
