// What the plain screen knows while it runs, and how it sends commands.
import { createUlid } from '../../base/ids.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type {
  CommandReply,
  SessionClient,
  SessionService,
  SessionSource,
  SessionWishes,
} from '../../session/client.ts'
import type { QuestionAnswer, SessionCommand } from '../../session/commands.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import type { AttachedPicture, PendingLeave } from '../inline/inline-state.ts'
import { rememberWish } from '../input/next-wishes.ts'
import type { NamedSkill } from '../input/slash-command.ts'
import type { SessionIo } from '../screen-options.ts'

export interface PlainState {
  client: SessionClient
  readonly service: SessionService
  readonly io: SessionIo
  view: SessionView
  /** What the person has chosen, for the next conversation on this screen. */
  wishes: SessionWishes
  print(lines: readonly string[]): void
  width(): number
  /** The question that is on the screen, since when, and the answers so far. */
  question:
    | { call: string; kind: 'permission' | 'reason'; since: number }
    | { call: string; kind: 'questions'; since: number; answers: AnsweredQuestion[]; at: number }
    | undefined
  /** A question of the screen's own: others wait until it is over. */
  choice: PlainChoice | undefined
  /** The call of which it was said that it waits for the end of the choice. */
  announced: string | undefined
  /** Titles of the agents that have worked since the screen was opened, by their threads. */
  readonly children: Map<string, string>
  /** Another command of the program that runs for this screen. */
  verb: { name: string; stop: AbortController } | undefined
  /** Undefined until a name was typed that is no command. */
  skills: readonly NamedSkill[] | undefined
  /** They go with the next message, by what stands for them in it. */
  pictures: ReadonlyMap<string, AttachedPicture>
  /** Words from the editor or from a message that was taken back, not sent. */
  text: string
  /** What was said last of profile, model and mode. */
  settings: string
  /** Words of the open reply that were printed. */
  printed: string
  lastInterrupt: number
  /** Messages from here that are not on record yet: the model or its servers are still opening. */
  sending: number
  /** Messages that were seen while they were typed, until they come as events. */
  readonly shown: string[]
  /** The person leaves, but later. */
  leaving: PendingLeave | undefined
  leave(): void
  /** Goes on with another conversation; `text` is offered there. */
  open(source: SessionSource, text?: string): Promise<void>
  /** Gives the terminal to somebody else until that is over; what is printed meanwhile comes then. */
  lend(use: () => Promise<void>): Promise<void>
}

export interface PlainChoice {
  since: number
  /** How it is answered. */
  ways: string
  /** What becomes of a run when the screen is left. */
  isLeaving?: true
  /** What an answer does; undefined for a line that is none. */
  read(line: string): (() => void | Promise<void>) | undefined
}

type AnsweredQuestion = Extract<QuestionAnswer, { status: 'answered' }>['answers'][number]

/** A line that comes sooner after a question was typed before it. */
export const minReadingMs = 700

/** Undefined for what is refused: that is said. */
export async function sendCommand(
  state: PlainState,
  command: SessionCommand,
): Promise<Extract<CommandReply, { ok: true }> | undefined> {
  const reply = await state.client.sendCommand({ id: createUlid(), ...command })
  if (reply.ok) {
    state.wishes = rememberWish(state.wishes, command)
    state.print(reply.message === undefined ? [] : [sanitizeText(reply.message)])
    return reply
  }
  const hint = reply.hint === undefined ? '' : `; ${reply.hint}`
  state.print([`not done: ${sanitizeText(`${reply.message}${hint}`)}`])
  return undefined
}
