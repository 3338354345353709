// The experiments of the workspace as they go on: the board of the session that was changed last.
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sessionHomeOf } from '../../../research/workspace/session-home.ts'
import type { WorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import type { TopicEvent } from '../../../session/client.ts'
import { openResearchBoards } from '../../research/research-boards.ts'

/** Between two looks: a run takes seconds at least. */
const lookMs = 700

/** Ends with `signal` alone: another run may follow at any time. */
export async function* readExperimentBoards(
  { data, workspace }: Pick<WorkspaceContext, 'data' | 'workspace'>,
  signal: AbortSignal,
): AsyncGenerator<TopicEvent, void> {
  const boards = openResearchBoards(data)
  const home = basename(sessionHomeOf(data, workspace))
  let shown: string | undefined
  while (!signal.aborted) {
    const [newest] = await boards.list(home)
    const board = newest && (await boards.board(newest.id))
    // all of it: two lines of a ledger may have one time, and a loop is paused without a line
    const version = board && JSON.stringify([newest.updated, board])
    if (board && version !== shown) yield { type: 'experiment.board', payload: board }
    shown = version
    await sleep(lookMs, undefined, { signal }).catch(() => undefined)
  }
}
