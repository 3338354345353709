// The parts of a screen that commands use. Every form of screen has them.
import type { RenderLook } from '../../render/pen.ts'
import type { CommandReply, SessionClient, SessionService, SessionSource } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import type { DialogAnswer } from '../dialog/choice-dialog.ts'
import type { PickerItem, PickerWishes } from '../dialog/picker.ts'
import type { SourceLine } from '../terminal/rows.ts'

/** Lines that the user reviews, and the possible answers. */
export interface CommandChoice {
  title: string
  lines: readonly SourceLine[]
  answers: readonly DialogAnswer[]
  /**
   * True if the program opened the choice by itself. Keys that the user typed before seeing it then
   * do not count.
   */
  isOffered?: boolean
}

/** Function that handles an answer. A line-based screen waits for it before reading the next line. */
type AnswerHandler<T> = (answer: T) => void | Promise<void>

export interface CommandScreen {
  readonly client: SessionClient
  readonly service: SessionService
  /** The state of the session that the screen shows. */
  readonly view: SessionView
  readonly look: RenderLook
  /** The user's home directory, for paths that are typed with `~`. */
  readonly home: string | undefined
  /** True if a secret key can be typed without being shown. */
  readonly hidesEntries: boolean
  /**
   * Shows one sentence about a result or a failure. `ms` is the time in milliseconds for which it stays, on a
   * screen that shows it as a hint.
   */
  tell(text: string, ms?: number): void
  /** Prints lines that stay on the screen. */
  print(lines: readonly string[]): void
  /**
   * Prints lines of which there may be thousands. On a screen with pages, so many lines open a page, because
   * they would hide the conversation.
   */
  printLong(draw: (look: RenderLook) => readonly string[]): void
  /** Shows lines while a question stays open. */
  show(lines: readonly SourceLine[]): void
  /**
   * Sends a command to the session. Resolves to undefined if the command was rejected; the user has then
   * seen the reason.
   */
  send(command: SessionCommand): Promise<Extract<CommandReply, { ok: true }> | undefined>
  /** Shows a list from which the user picks an item. */
  pick(
    title: string,
    items: readonly PickerItem<string>[],
    follow: AnswerHandler<string>,
    more?: PickerWishes<string>,
  ): void
  choose(choice: CommandChoice, follow: AnswerHandler<string>): void
  /** Asks the user for a typed line. */
  enter(
    entry: { title: string; lines: readonly string[]; isSecret: boolean },
    follow: AnswerHandler<string>,
  ): void
  /** Opens another conversation and puts `text` into its editor. */
  open(source: SessionSource, text?: string): void | Promise<void>
  /** Returns the text in the editor that was typed and not sent. */
  text(): string
}
