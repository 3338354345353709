// The state of the plain screen while it runs, and the function that sends commands.
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
import type { SessionCommand } from '../../session/commands.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import type { AnsweredQuestion } from '../../tool/ask.ts'
import type { AttachedPicture, PendingLeave } from '../inline/inline-state.ts'
import { rememberWish } from '../input/next-wishes.ts'
import type { NamedSkill } from '../input/slash-command.ts'
import type { SessionIo } from '../screen-options.ts'

/** The terminal, and the functions with which this screen controls it. */
interface PlainTerminal {
  readonly service: SessionService
  readonly io: SessionIo
  /** The user's choices of model, profile, mode and tools, for the next conversation on this screen. */
  wishes: SessionWishes
  /** The command, such as `anode study`, that this screen has started and that still runs. */
  verb: { name: string; stop: AbortController } | undefined
  lastInterrupt: number
  /** A request of the user to leave that is still pending. */
  leaving: PendingLeave | undefined
  leave(): void
  /** Opens another conversation, where the user can send `text`. */
  open(source: SessionSource, text?: string): Promise<void>
  /**
   * Lends the terminal to another program until the promise of `use` resolves. Lines that are printed
   * meanwhile appear afterwards.
   */
  lend(use: () => Promise<void>): Promise<void>
}

interface PlainConversation {
  client: SessionClient
  view: SessionView
  /** Titles, by thread, of the subagents that have run since this screen opened the conversation. */
  readonly children: Map<string, string>
  /**
   * Number of sent messages to which the session has not replied yet, for example because servers
   * are still starting.
   */
  sending: number
  /** Messages that the user has typed on this terminal and that have not arrived as events. */
  readonly shown: string[]
}

/** The questions to the user that are open on the plain screen. */
interface PlainPrompt {
  /** The question that the screen shows, with its time and the answers so far. */
  question:
    | { call: string; kind: 'permission' | 'reason'; since: number }
    | { call: string; kind: 'questions'; since: number; answers: AnsweredQuestion[]; at: number }
    | undefined
  /** A choice of the screen itself. Other questions wait until it is closed. */
  choice: PlainChoice | undefined
  /** The call about which a notice was printed while the choice was open. */
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
  /** Text that was not sent, from the editor or from a message that was removed from the queue. */
  text: string
}

/** The complete state of a plain screen. Each function declares only the parts that it needs. */
export interface PlainState {
  readonly screen: PlainTerminal
  readonly conversation: PlainConversation
  readonly prompt: PlainPrompt
  readonly printer: PlainPrinter
  readonly composer: PlainComposer
}

export interface PlainChoice {
  since: number
  /** The possible answers to the choice, as a text. */
  ways: string
  /** True for the question before the user leaves. */
  isLeaving?: true
  /** Returns the effect of an answer; undefined if the line is not an answer. */
  read(line: string): (() => void | Promise<void>) | undefined
}

/**
 * Time in milliseconds after a question during which a line does not count as the answer, because it
 * was typed before.
 */
export const minReadingMs = 700

/** Returns a line about a failure, with the next step if one is known. */
export function describeFailure(error: unknown): string {
  const hint = error instanceof UserError && error.hint !== undefined ? `; ${error.hint}` : ''
  return `not done: ${sanitizeText(messageOf(error) + hint)}`
}

/**
 * Sends a command to the session, and prints the message of the reply. If the command is rejected, prints the
 * reason and returns undefined.
 */
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
