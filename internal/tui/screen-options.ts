// The inputs and results that every form of session screen has.
import type { SessionWishes } from '../session/client.ts'
import type { NoticeKind } from './inline/notice.ts'
import type { KeyOverrides } from './input/key-map.ts'
import type { ReflowKind } from './terminal/live-reflow.ts'
import type { ScreenTheme } from './view/themes.ts'

export type ScreenForm = 'inline' | 'full' | 'plain'

/** An image as base64, with its size in pixels if known. */
interface ReadPicture {
  mime: string
  base64: string
  size?: string
}

/**
 * The streams and environment of a screen, and functions for the user's machine, such as those for the editor
 * and the clipboard.
 */
export interface SessionIo {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * Time in milliseconds that a lone Escape waits for further bytes of a key. Default: depends
   * on the connection.
   */
  readonly escapeMs?: number | undefined
  /** Signal that aborts when a signal from outside ends the process. */
  readonly signal: AbortSignal
  /** Opens the terminal again after Ctrl-D has ended its input. Returns undefined if the terminal is gone. */
  reopenInput?(): NodeJS.ReadStream | undefined
  /** Sets the listener for Ctrl-C on a terminal that turns keys into signals. */
  onInterrupt?(listener: () => void): void
  /**
   * Opens a text in the user's editor and returns the saved text; undefined if the editor failed. The screen
   * must release the terminal first.
   */
  editText?(text: string): Promise<string | undefined>
  /** Reads an image from the user's machine. */
  readPicture?(path: string): Promise<ReadPicture>
  /** Reads the image in the clipboard of the user's desktop. */
  readClipboardPicture?(): Promise<ReadPicture>
  /**
   * Writes a text to the clipboard of the desktop. Returns the name of the program that accepted the text
   * (undefined if none did), and those of the programs that failed.
   */
  writeClipboard?(text: string): Promise<{ took?: string; failed: readonly string[] }>
  /** Starts the user's notification program with a text and does not wait for it. */
  runNotice?(program: readonly string[], text: string): void
  /** Real path of the session's directory. */
  readonly cwd: string
}

export interface SessionScreenOptions {
  form: ScreenForm
  /** Text that is in the editor at the start. */
  text?: string
  /** First message of the user, which is sent immediately. */
  firstMessage?: string | undefined
  /** The user's overrides of keys, by action. Invalid overrides are rejected before the first frame. */
  keys?: KeyOverrides
  /** The kind of notification for a user who looks elsewhere. Default: depends on the terminal. */
  notify?: NoticeKind
  theme?: ScreenTheme
  /** True if the full screen captures the mouse. Default: true. */
  mouse?: boolean
  /**
   * The way in which the terminal breaks rows that become too wide. Default: as known for this
   * kind of terminal.
   */
  reflow?: ReflowKind
  /** True to skip the question about trust, because it was answered or because the user does not want it. */
  isTrustKnown?: boolean
  /**
   * Choices (model, profile, mode, tools) that the user made by flags. They also apply to later conversations
   * on this screen.
   */
  wishes?: SessionWishes
  /** Notes to show at the start, such as ignored files or an automatically selected model. */
  notes: readonly string[]
}

export interface SessionScreen {
  /** Runs the screen. Resolves to the exit code after the user has left; the terminal is restored by then. */
  run(): Promise<number>
  /** Returns the id of the thread that the screen showed last. Default: the thread of the client. */
  thread?(): string
}
