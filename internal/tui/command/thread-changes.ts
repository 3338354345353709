// The file changes of a thread and its subagents, from their events.
import type { SessionClient, SessionEvent } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'
import { readFileDiffs } from '../run-view/file-changes.ts'
import { readOutcome } from '../run-view/tool-outcome.ts'
import { drawThreadChanges, type ThreadChange } from '../view/session-pages.ts'
import type { CommandScreen } from './command-screen.ts'
import { readWholeThread } from './history-pages.ts'

export async function showThreadChanges(screen: CommandScreen): Promise<void> {
  const changes = await readThreadChanges(screen)
  const atWork = screen.view.children.length
  screen.printLong((look) => drawThreadChanges(changes, atWork, look))
}

/**
 * Returns the file changes of a thread in order; those of a subagent follow the event of its start. Subagents
 * that still run are excluded, because their changes are not final.
 */
export async function readThreadChanges({
  client,
  view,
}: {
  client: Pick<SessionClient, 'readHistory' | 'readTopic'>
  view: SessionView
}): Promise<ThreadChange[]> {
  const read = createChangeReader()
  const changes: ThreadChange[] = []
  for (const event of await readWholeThread({ client, view })) {
    changes.push(...read(event))
    if (event.type !== 'child.started') continue
    const { thread, title } = event.payload
    if (!view.children.some((child) => child.thread === thread))
      changes.push(...(await readAgentChanges(client, thread, title)))
  }
  return changes
}

/**
 * Creates a reader that gets every event of a thread in order. For the end of a call it returns the file
 * changes of that call, and for any other event an empty list.
 */
export function createChangeReader(agent?: string): (event: SessionEvent) => ThreadChange[] {
  let view = emptyView('')
  return (event) => {
    const before = view
    view = foldSessionEvent(before, event)
    if (event.type !== 'tool.result') return []
    const outcome = readOutcome(event.payload, before)
    const { diff, diffs } = outcome.data
    // A diff that was computed from the call's arguments is complete.
    const isCut = outcome.isCut && (diff !== undefined || diffs !== undefined)
    return readFileDiffs(outcome).map((file) => ({ file, isCut, agent }))
  }
}

/**
 * Returns the changes that a subagent made. If its events cannot be read to the end, returns the changes
 * before that point, because the thread itself reports how the subagent ended.
 */
async function readAgentChanges(
  client: Pick<SessionClient, 'readTopic'>,
  thread: string,
  agent: string,
): Promise<ThreadChange[]> {
  const read = createChangeReader(agent)
  const changes: ThreadChange[] = []
  try {
    const events = client.readTopic({ kind: 'child', thread }, 0, new AbortController().signal)
    for await (const event of events) {
      if (event.type !== 'study.board' && event.type !== 'experiment.board') changes.push(...read(event))
    }
  } catch {
    // changes that were read before the failure stay
  }
  return changes
}
