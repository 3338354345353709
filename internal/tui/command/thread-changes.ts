// What a thread changed: the diffs that its calls and those of its agents tell of, from its first event on.
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

/** In their order; without those of agents that still work: nobody knows yet what they will be. */
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

/** Takes in every event of a thread in its order, and gives what the calls that end with it have changed. */
export function createChangeReader(agent?: string): (event: SessionEvent) => ThreadChange[] {
  let view = emptyView('')
  return (event) => {
    const before = view
    view = foldSessionEvent(before, event)
    if (event.type !== 'tool.result') return []
    const outcome = readOutcome(event.payload, before)
    const { diff, diffs } = outcome.data
    // what is worked out from arguments is whole
    const isCut = outcome.isCut && (diff !== undefined || diffs !== undefined)
    return readFileDiffs(outcome).map((file) => ({ file, isCut, agent }))
  }
}

/** None of one that cannot be read: the thread itself says what became of it. */
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
    // what was read of it stands
  }
  return changes
}
