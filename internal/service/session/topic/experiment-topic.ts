// Live status of the experiments in a workspace: the board, which is the shown state, of the experiment
// session that changed last.
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sessionHomeOf } from '../../../research/workspace/session-home.ts'
import type { WorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import type { TopicEvent } from '../../../session/client.ts'
import { openResearchBoards } from '../../research/research-boards.ts'

/** Milliseconds between two reads of the board, which changes at most every few seconds. */
const lookMs = 700

/**
 * Yields the board of the session that changed last, at the start and after every change. Yields nothing
 * before the first session. Ends only when `signal` aborts, because another run may follow at any time.
 */
export async function* readExperimentBoards(
  { data, workspace }: Pick<WorkspaceContext, 'data' | 'workspace'>,
  signal: AbortSignal,
): AsyncGenerator<TopicEvent, void> {
  const boards = openResearchBoards(data)
  const home = basename(sessionHomeOf(data, workspace))
  let lastVersion: string | undefined
  while (!signal.aborted) {
    const [newest] = await boards.list(home)
    const board = newest && (await boards.board(newest.id))
    // the whole board is compared, because two lines of a ledger may have the same time and a pause
    // adds no line
    const version = board && JSON.stringify([newest.updated, board])
    if (board && version !== lastVersion) yield { type: 'experiment.board', payload: board }
    lastVersion = version
    await sleep(lookMs, undefined, { signal }).catch(() => undefined)
  }
}
