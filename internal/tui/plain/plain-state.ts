// What the plain screen knows while it runs, and how it sends commands.
import { createUlid } from '../../base/ids.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionClient, SessionService } from '../../session/client.ts'
import type { QuestionAnswer, SessionCommand } from '../../session/commands.ts'
import type { SessionView } from '../../session/view/session-view.ts'

export interface PlainState {
  client: SessionClient
  service: SessionService
  view: SessionView
  print(lines: readonly string[]): void
  width(): number
  /** The question that is on the screen, since when, and the answers so far. */
  question:
    | { call: string; kind: 'permission' | 'reason'; since: number }
    | { call: string; kind: 'questions'; since: number; answers: AnsweredQuestion[]; at: number }
    | undefined
  /** Words of the open reply that were printed. */
  printed: string
  lastInterrupt: number
  leave(): void
}

type AnsweredQuestion = Extract<QuestionAnswer, { status: 'answered' }>['answers'][number]

/** What is refused is said. */
export async function sendCommand(state: PlainState, command: SessionCommand): Promise<void> {
  const reply = await state.client.sendCommand({ id: createUlid(), ...command })
  if (reply.ok) return state.print(reply.message === undefined ? [] : [sanitizeText(reply.message)])
  const hint = reply.hint === undefined ? '' : `; ${reply.hint}`
  state.print([`not done: ${sanitizeText(`${reply.message}${hint}`)}`])
}
