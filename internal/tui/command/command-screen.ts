// What a command of a session needs of the screen on which it was given, however that screen draws.
import type { RenderLook } from '../../render/pen.ts'
import type { CommandReply, SessionClient, SessionService, SessionSource } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import type { DialogAnswer } from '../dialog/choice-dialog.ts'
import type { PickerItem } from '../dialog/picker.ts'
import type { SourceLine } from '../terminal/rows.ts'

/** Lines to judge, and the answers to them. */
export interface CommandChoice {
  title: string
  lines: readonly SourceLine[]
  answers: readonly DialogAnswer[]
  /** Nobody has asked for it: the first keys are not meant for it. */
  isOffered?: boolean
}

/** What follows an answer; a screen that takes lines waits for it before it reads the next one. */
type Follow<T> = (answer: T) => void | Promise<void>

export interface CommandScreen {
  readonly client: SessionClient
  readonly service: SessionService
  /** As it is now. */
  readonly view: SessionView
  readonly look: RenderLook
  /** The person's home, for paths that are typed with `~`. */
  readonly home: string | undefined
  /** A key can be typed without being shown. */
  readonly hidesEntries: boolean
  /** One sentence about what was done or why not; `ms`: how long it stays where sentences go. */
  tell(text: string, ms?: number): void
  /** Lines that stay. */
  print(lines: readonly string[]): void
  /** The same of what may be thousands of lines: a page where so many would bury the conversation. */
  printLong(draw: (look: RenderLook) => readonly string[]): void
  /** Lines to look at while a question stays open. */
  show(lines: readonly SourceLine[]): void
  /** Undefined when it was refused; then the person knows why. */
  send(command: SessionCommand): Promise<Extract<CommandReply, { ok: true }> | undefined>
  /** One of a list; `current` is the one that holds now. */
  pick(title: string, items: readonly PickerItem<string>[], follow: Follow<string>, current?: string): void
  choose(choice: CommandChoice, follow: Follow<string>): void
  /** A line that is typed. */
  enter(entry: { title: string; lines: readonly string[]; isSecret: boolean }, follow: Follow<string>): void
  /** Goes on with another conversation; `text` is what the person may say there. */
  open(source: SessionSource, text?: string): void | Promise<void>
  /** What is written and not sent. */
  text(): string
}
