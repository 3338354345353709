// What every form of a session's screen is given, and what it gives back.
import type { SessionWishes } from '../session/client.ts'
import type { NoticeKind } from './inline/notice.ts'
import type { KeyOverrides } from './input/key-map.ts'
import type { ReflowKind } from './terminal/live-reflow.ts'
import type { ScreenTheme } from './view/themes.ts'

export type ScreenForm = 'inline' | 'full' | 'plain'

/** A picture as base64, with its size in pixels where that is known. */
interface ReadPicture {
  mime: string
  base64: string
  size?: string
}

/** Streams and surroundings of a screen. */
export interface SessionIo {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
  /** How long a lone Escape waits for what would make it another key; absent: as the connection is. */
  readonly escapeMs?: number | undefined
  /** Aborts when the program is told to end from outside. */
  readonly signal: AbortSignal
  /** The same terminal once more, after its input has ended at Ctrl-D; undefined where it is gone. */
  reopenInput?(): NodeJS.ReadStream | undefined
  /** Ctrl-C of a terminal that turns keys into signals goes to this listener from now on. */
  onInterrupt?(listener: () => void): void
  /** Opens the person's editor on a text and gives what was saved; the terminal has to be free. */
  editText?(text: string): Promise<string | undefined>
  /** Reads a picture of the person's machine. */
  readPicture?(path: string): Promise<ReadPicture>
  /** The picture in the clipboard of the person's desktop. */
  readClipboardPicture?(): Promise<ReadPicture>
  /** Puts a text there: the program that took it, and those that did not. */
  writeClipboard?(text: string): Promise<{ took?: string; failed: readonly string[] }>
  /** Runs a program of the person's own that tells them something; nobody waits for it. */
  runNotice?(program: readonly string[], text: string): void
  /** Directory of the session, as a real path. */
  readonly cwd: string
}

export interface SessionScreenOptions {
  form: ScreenForm
  /** Stands in the editor at the start. */
  text?: string
  /** Said at once, as the first message. */
  firstMessage?: string | undefined
  /** Keys of their own: actions with their keys; wrong ones are refused before anything is drawn. */
  keys?: KeyOverrides
  /** How somebody who looks elsewhere is told; absent: as the terminal allows. */
  notify?: NoticeKind
  theme?: ScreenTheme
  /** The full screen takes the mouse unless this is false. */
  mouse?: boolean
  /** What the terminal does with rows that have become too wide; absent: what is known of it. */
  reflow?: ReflowKind
  /** Nothing is asked about what the workspace brings: it was, or nobody wants to. */
  isTrustKnown?: boolean
  /** What the person has asked for by flags: it holds for further conversations on this screen. */
  wishes?: SessionWishes
  /** What the person should know from the start: ignored files, a model that was picked. */
  notes: readonly string[]
}

export interface SessionScreen {
  /** Resolves to the exit code once the person has left; the terminal is as it was before. */
  run(): Promise<number>
  /** The thread that was on it last; absent: that of the client. */
  thread?(): string
}
