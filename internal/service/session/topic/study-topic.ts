// Live status of a study in the workspace: its board, which is the shown state, after every change
// of its log.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import type { TopicEvent } from '../../../session/client.ts'
import { readJournalLines } from '../../../store/journal/lines.ts'
import { type LocalJournal, openJournal } from '../../../store/journal/sqlite.ts'
import { foldStudyBoard } from '../../../study/board/fold-board.ts'
import { advanceStudyState, beginStudyState, type StudyState } from '../../../study/log/state.ts'
import { isStudyOver } from '../../../study/log/task-end.ts'
import { isAbandoned } from '../../study/known-studies.ts'

interface StudyWish {
  study?: string | undefined
  since?: number | undefined
}

/**
 * Milliseconds between two reads. A study writes several lines per second, and each board is computed from
 * the whole state of the study.
 */
const lookMs = 400

/**
 * Yields the board after every change until the study ends, its process on this machine is dead, its log has
 * no first line, or `signal` aborts. Waits for a database and a study, but does not create them.
 */
export async function* readStudyBoards(
  { data, workspace }: Pick<WorkspaceContext, 'data' | 'workspace'>,
  wish: StudyWish,
  signal: AbortSignal,
): AsyncGenerator<TopicEvent, void> {
  while (!existsSync(join(data, 'anode.db'))) if (!(await pauseBetweenReads(signal))) return
  const journal = await openJournal(data)
  try {
    let id = findStudy(journal, workspace, wish)
    while (id === undefined) {
      if (!(await pauseBetweenReads(signal))) return
      id = findStudy(journal, workspace, wish)
    }
    yield* followBoard(journal, id, signal)
  } finally {
    await journal.close()
  }
}

/** Waits for `lookMs`. Resolves to true, or to false when the signal aborts. */
const pauseBetweenReads = (signal: AbortSignal) => sleep(lookMs, true, { signal }).catch(() => false)

/**
 * Returns the ID of the workspace's study whose full ID is `study`. Without `study`, returns the latest study
 * of the workspace if it has log lines and is not older than `since` (ms since 1970); else undefined.
 */
function findStudy(
  { studies }: LocalJournal,
  workspace: string,
  { study, since = 0 }: StudyWish,
): string | undefined {
  const [newest] = study === undefined ? studies.list({ project: workspace, limit: 1 }) : []
  if (study === undefined)
    return newest && newest.created >= since && newest.lines > 0 ? newest.id : undefined
  return /^\w{20,40}$/.test(study)
    ? studies.find(study, workspace).find(({ id }) => id === study)?.id
    : undefined
}

async function* followBoard(
  journal: LocalJournal,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<TopicEvent, void> {
  let state: StudyState | undefined
  let lastVersion: string | undefined
  while (!signal.aborted) {
    for await (const line of readJournalLines(journal, id, state?.seq)) {
      if (state) advanceStudyState(state, line)
      // a log without its first line, the head, is damaged, and no board can be made from it
      else if (line.kind === 'study') state = beginStudyState(line)
      else return
    }
    // the process of the study may have died without recording the end
    const isGone = state !== undefined && isAbandoned(state)
    const version = state && `${state.seq} ${isGone}`
    if (state && version !== lastVersion)
      yield { type: 'study.board', payload: foldStudyBoard(state, isGone) }
    lastVersion = version
    if (state && (isStudyOver(state) || isGone)) return
    if (!(await pauseBetweenReads(signal))) return
  }
}
