// The state of the plain screen while it runs, and its way to send commands.
import { messageOf, UserError } from '../../base/errors.ts'
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
  /** The user's choices of model, profile, mode and tools, for the next conversation on this screen. */
  wishes: SessionWishes
  /** The command, such as `anode study`, that this screen has started and that still runs. */
  verb: { name: string; stop: AbortController } | undefined
  lastInterrupt: number
  /** A leave that the user has requested and that is still pending. */
  leaving: PendingLeave | undefined
  leave(): void
  /** Opens another conversation, where `text` is offered. */
  open(source: SessionSource, text?: string): Promise<void>
  /**
   * Lends the terminal to another program until `use` resolves. Lines that are printed
   * meanwhile appear afterwards.
   */
  lend(use: () => Promise<void>): Promise<void>
}

interface PlainConversation {
  client: SessionClient
  view: SessionView
  /** Titles of the subagents since the screen opened, by thread. */
  readonly children: Map<string, string>
  /** Number of sent messages that are not recorded yet, because the model or its servers are starting. */
  sending: number
  /** Messages that the user has typed on this terminal and that have not arrived as events. */
  readonly shown: string[]
}

/** The open questions to the user. */
interface PlainPrompt {
  /** The question on the screen, with its time and the answers so far. */
  question:
    | { call: string; kind: 'permission' | 'reason'; since: number }
    | { call: string; kind: 'questions'; since: number; answers: AnsweredQuestion[]; at: number }
    | undefined
  /** A choice of the screen. Other questions wait until it is closed. */
  choice: PlainChoice | undefined
  /** The call about which a notice was printed during the choice. */
  announced: string | undefined
}

interface PlainPrinter {
  print(lines: readonly string[]): void
  width(): number
  /** The last printed line about profile, model and mode. */
  settings: string
}

interface PlainComposer {
  /** Skills that the user can name; undefined until the user types the name of an unknown command. */
  skills: readonly NamedSkill[] | undefined
  /** Images for the next message, by their labels. */
  pictures: ReadonlyMap<string, AttachedPicture>
  /** Mentions of documents for the next message. */
  mentions: readonly string[]
  /** Unsent text from the editor or from an unqueued message. */
  text: string
}

/** The state of a plain screen. A function takes only the parts that it needs. */
export interface PlainState {
  readonly screen: PlainTerminal
  readonly conversation: PlainConversation
  readonly prompt: PlainPrompt
  readonly printer: PlainPrinter
  readonly composer: PlainComposer
}

export interface PlainChoice {
  since: number
  /** The possible answers, as text. */
  ways: string
  /** Whether this is the question before leaving. */
  isLeaving?: true
  /** Returns the effect of an answer, or undefined if the line is not an answer. */
  read(line: string): (() => void | Promise<void>) | undefined
}

type AnsweredQuestion = Extract<QuestionAnswer, { status: 'answered' }>['answers'][number]

/** Time in ms after a question in which a line does not count, because it was typed before. */
export const minReadingMs = 700

/** Returns the line about a failure, with the next step if there is one. */
export function describeFailure(error: unknown): string {
  const hint = error instanceof UserError && error.hint !== undefined ? `; ${error.hint}` : ''
  return `not done: ${sanitizeText(messageOf(error) + hint)}`
}

/** Sends a command. Returns undefined if it was rejected, and prints the reason. */
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
