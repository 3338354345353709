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

/** The terminal and what the program does with it for this screen. */
interface PlainTerminal {
  readonly service: SessionService
  readonly io: SessionIo
  /** What the user has chosen, for the next conversation on this screen. */
  wishes: SessionWishes
  /** Another command of the program that runs for this screen. */
  verb: { name: string; stop: AbortController } | undefined
  lastInterrupt: number
  /** The user leaves, but later. */
  leaving: PendingLeave | undefined
  leave(): void
  /** Continues with another conversation; `text` is offered there. */
  open(source: SessionSource, text?: string): Promise<void>
  /** Gives the terminal to another program until that is over; what is printed meanwhile comes then. */
  lend(use: () => Promise<void>): Promise<void>
}

interface PlainConversation {
  client: SessionClient
  view: SessionView
  /** Titles of the agents that have worked since the screen was opened, by their threads. */
  readonly children: Map<string, string>
  /** Messages from here that are not on record yet: the model or its servers are still opening. */
  sending: number
  /** Messages that were seen while they were typed, until they come as events. */
  readonly shown: string[]
}

/** What the user is asked. */
interface PlainPrompt {
  /** The question that is on the screen, since when, and the answers so far. */
  question:
    | { call: string; kind: 'permission' | 'reason'; since: number }
    | { call: string; kind: 'questions'; since: number; answers: AnsweredQuestion[]; at: number }
    | undefined
  /** A question of the screen's own: others wait until it is over. */
  choice: PlainChoice | undefined
  /** The call of which it was said that it waits for the end of the choice. */
  announced: string | undefined
}

interface PlainPrinter {
  print(lines: readonly string[]): void
  width(): number
  /** What was said last of profile, model and mode. */
  settings: string
}

interface PlainComposer {
  /** Undefined until a name was typed that is no command. */
  skills: readonly NamedSkill[] | undefined
  /** They go with the next message, by their labels in it. */
  pictures: ReadonlyMap<string, AttachedPicture>
  /** Documents that go with the next message, each as it is named in it. */
  mentions: readonly string[]
  /** Words from the editor or from a message that was taken back, not sent. */
  text: string
}

/** What a plain screen knows; a function that needs some parts of it asks for those alone. */
export interface PlainState {
  readonly screen: PlainTerminal
  readonly conversation: PlainConversation
  readonly prompt: PlainPrompt
  readonly printer: PlainPrinter
  readonly composer: PlainComposer
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
  const reply = await state.conversation.client.sendCommand({ id: createUlid(), ...command })
  if (reply.ok) {
    state.screen.wishes = rememberWish(state.screen.wishes, command)
    state.printer.print(reply.message === undefined ? [] : [sanitizeText(reply.message)])
    return reply
  }
  const hint = reply.hint === undefined ? '' : `; ${reply.hint}`
  state.printer.print([`not done: ${sanitizeText(`${reply.message}${hint}`)}`])
  return undefined
}
