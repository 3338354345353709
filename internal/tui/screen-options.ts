// Inputs and results of every form of a session screen.
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

/** The streams and environment of a screen. */
export interface SessionIo {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
  /** Time in ms that a lone Escape waits for further bytes of a key. Default: depends on the connection. */
  readonly escapeMs?: number | undefined
  /** Aborts when a signal from outside ends the program. */
  readonly signal: AbortSignal
  /** Reopens the terminal after Ctrl-D has ended its input. Returns undefined if the terminal is gone. */
  reopenInput?(): NodeJS.ReadStream | undefined
  /** Sets the listener for Ctrl-C on a terminal that turns keys into signals. */
  onInterrupt?(listener: () => void): void
  /**
   * Opens the user's editor with a text and returns the saved text, or undefined if the editor failed. The
   * screen must release the terminal first.
   */
  editText?(text: string): Promise<string | undefined>
  /** Reads an image from the user's machine. */
  readPicture?(path: string): Promise<ReadPicture>
  /** Reads the image in the clipboard of the user's desktop. */
  readClipboardPicture?(): Promise<ReadPicture>
  /**
   * Writes a text to the desktop clipboard. Returns the program that took the text and the
   * programs that failed.
   */
  writeClipboard?(text: string): Promise<{ took?: string; failed: readonly string[] }>
  /** Starts the user's notification program with a text and does not wait for it. */
  runNotice?(program: readonly string[], text: string): void
  /** The directory of the session, as a real path. */
  readonly cwd: string
}

export interface SessionScreenOptions {
  form: ScreenForm
  /** Text in the editor at the start. */
  text?: string
  /** First message, sent immediately. */
  firstMessage?: string | undefined
  /** The user's key overrides by action. Invalid overrides are rejected before the first frame. */
  keys?: KeyOverrides
  /** How to notify a user who looks elsewhere. Default: depends on the terminal. */
  notify?: NoticeKind
  theme?: ScreenTheme
  /** Whether the full screen captures the mouse. Default: true. */
  mouse?: boolean
  /**
   * How the terminal reflows rows that become too wide. Default: what the program knows about the terminal.
   */
  reflow?: ReflowKind
  /** Whether to skip the trust question, because it was answered or because the user does not want it. */
  isTrustKnown?: boolean
  /** Choices that the user made by flags. They also apply to later conversations on this screen. */
  wishes?: SessionWishes
  /** Notes for the start, such as ignored files or an automatically selected model. */
  notes: readonly string[]
}

export interface SessionScreen {
  /** Resolves to the exit code after the user has left. The terminal is restored by then. */
  run(): Promise<number>
  /** Returns the last thread on the screen. Default: the thread of the client. */
  thread?(): string
}
