// The state of an inline screen in addition to its session view: composer, overlays, display and hints.
import { messageOf, UserError } from '../../base/errors.ts'
import type { RenderLook } from '../../render/pen.ts'
import { terminalOptions } from '../../render/terminal.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionClient, SessionService, SessionWishes, TrustView } from '../../session/client.ts'
import type { ConversationBlock, SessionView } from '../../session/view/session-view.ts'
import type { BoardFollower } from '../board/board-follower.ts'
import type { ApprovalDialog } from '../dialog/approval-dialog.ts'
import type { ChoiceDialog, EntryDialog } from '../dialog/choice-dialog.ts'
import type { PickerState } from '../dialog/picker.ts'
import type { QuestionDialog } from '../dialog/question-dialog.ts'
import type { DrawnLines, PlacedNote } from '../full/conversation-lines.ts'
import type { FullView } from '../full/full-view.ts'
import { hasPaneWork, paneCells } from '../full/pane.ts'
import type { TextPlace, TextSelection } from '../full/selection.ts'
import type { DraftFile } from '../input/draft.ts'
import type { InputHistory } from '../input/history.ts'
import type { KeyMap } from '../input/key-map.ts'
import type { PasteStore } from '../input/paste.ts'
import type { NamedSkill } from '../input/slash-command.ts'
import type { LivePage } from '../page/live-page.ts'
import type { SessionIo } from '../screen-options.ts'
import type { TerminalInput } from '../terminal/key-decoder.ts'
import type { TextEditor } from '../terminal/library.ts'
import { indentLines, margin, narrowLook, penOfLook } from '../view/look-pen.ts'
import { applyTheme, type ScreenTheme } from '../view/themes.ts'
import type { CompletionMenu } from './completion-menu.ts'
import type { NoticeKind } from './notice.ts'
import type { TranscriptPage } from './transcript-page.ts'

/** An image that is attached to a message. */
export interface AttachedPicture {
  mime: string
  base64: string
}

/** The way in which one conversation on the screen ended. */
export type InlineOutcome =
  | { kind: 'left'; code: number }
  /**
   * `text` is placed in the next editor; `wishes` are the user's choices so far, and `form` and `theme`
   * the current look.
   */
  | {
      kind: 'open'
      client: SessionClient
      text: string
      wishes: SessionWishes
      form: InlineState['display']['form']
      theme: ScreenTheme
    }

/** A request to leave that waits until all work has ended, or until the run continues in the background. */
export type PendingLeave =
  | { kind: 'when_done' }
  | { kind: 'hand_over'; stay: AbortController; hurry: AbortController }

/** A dialog that receives the keys instead of the editor. */
type OpenDialog =
  | { kind: 'approval'; state: ApprovalDialog }
  | { kind: 'question'; state: QuestionDialog }
  | { kind: 'picker'; state: PickerState<string>; pick(value: string): void }
  | { kind: 'choice'; state: ChoiceDialog; shownAt: number; isOffered: boolean; choose(key: string): void }
  | { kind: 'entry'; state: EntryDialog; enter(text: string): void }

/** The terminal, and the functions with which this screen controls it. */
export interface InlineScreen {
  readonly service: SessionService
  readonly io: SessionIo
  readonly keys: KeyMap
  readonly notify: NoticeKind | undefined
  /**
   * Model, profile, mode and tools for the next conversation, as the user chose them by flags and commands.
   */
  wishes: SessionWishes
  /** A request of the user to leave that is still pending. */
  leaving: PendingLeave | undefined
  /** Another command of Anode that runs for this screen. */
  verb: { name: string; since: number; stop: AbortController } | undefined
  /** Handles one input from the terminal. */
  press(input: TerminalInput): void
  changed(soon?: boolean): void
  redraw(): void
  suspend(): void
  signal(bytes: string): void
  leave(code: number): void
  /** Switches to another conversation, which is open already. */
  open(client: SessionClient, text: string): void
  /** Lends the terminal to another program until the promise of `use` resolves. */
  lend(use: () => Promise<void>): Promise<void>
}

/** The conversation that the screen shows, and those of its subagents. */
interface ShownConversation {
  readonly client: SessionClient
  view: SessionView
  /** Position in the thread of the first event that the screen began with. */
  readonly firstEvent: number
  /** Blocks before the first event, as far as they have been read. */
  earlier: EarlierBlocks | undefined
  isReadingEarlier: boolean
  /** Titles and views of the latest 50 subagents by thread, in the order in which they began. */
  readonly children: Map<string, { title: string; view: SessionView }>
  /** Thread of the subagent whose transcript is shown; undefined for the transcript of the session. */
  pageThread: string | undefined
  /** True if the view contains the current state of the session. */
  isCurrent: boolean
  /** The message that was sent and is not recorded yet, for example because servers are still starting. */
  sending: { text: string; since: number } | undefined
}

/** The text that the user is writing, with its attachments and history. */
interface InputComposer {
  readonly editor: TextEditor
  readonly draft: DraftFile
  pastes: PasteStore
  /**
   * The latest images that the user attached in this session, by label (at most 20). Those of sent messages
   * stay, so that a recalled message gets its images back.
   */
  pictures: ReadonlyMap<string, AttachedPicture>
  history: InputHistory
  /** True if the messages of other threads in the workspace have been requested. */
  isHistoryWhole: boolean
  /** The text that the user has set aside, as the editor showed it and with the full texts of pastes. */
  aside: { shown: string; text: string; pastes: PasteStore } | undefined
  menu: CompletionMenu | undefined
  /** Skills that the user can name; undefined until the user types a slash. */
  skills: readonly NamedSkill[] | undefined
  /** Complete texts of messages that were sent and are not recorded yet. */
  unsent: readonly { text: string }[]
}

/** The dialogs and pages that cover the conversation. */
interface ScreenOverlays {
  dialog: OpenDialog | undefined
  /** The dialog's state that the last frame on the terminal showed. */
  shownDialog: object | undefined
  /**
   * Calls whose dialog the user has postponed or answered. It opens again only on demand, and a postponed
   * form keeps its answers.
   */
  readonly putOff: Map<string, QuestionDialog | undefined>
  page: TranscriptPage | undefined
  /** Stack of pages other than the transcript. The last one is visible. */
  readonly pages: LivePage[]
  /** Input that waits until a command has opened its list or page; undefined if no command is opening one. */
  held: TerminalInput[] | undefined
  /** The files of an untrusted workspace, until the user has been asked about them. */
  trustOffer: TrustView | undefined
  /** Status of studies and experiments; undefined until this screen or a tool call starts one. */
  boards: BoardFollower | undefined
}

/** The size and the appearance of the screen. */
interface ScreenDisplay {
  /** `inline` prints into the scrollback of the terminal, `full` uses the whole terminal. */
  form: 'inline' | 'full'
  theme: ScreenTheme
  readonly full: FullState
  /** Settings for drawing the conversation and its dock. */
  look: RenderLook
  /** Settings for drawing on the whole width of the terminal. */
  wide: RenderLook
  size: { columns: number; rows: number }
  /** True if the terminal has the focus; undefined if it does not report that. */
  focused: boolean | undefined
}

/** Short messages of Anode for the user. */
interface ScreenHints {
  /**
   * The hint above the status line, shown until `until`. If `dueAt` is set, the next key after that time
   * removes the hint earlier. Both are milliseconds since 1970.
   */
  hint: { text: string; until: number; dueAt?: number | undefined } | undefined
  /** Lines of Anode that will be printed next. */
  readonly notes: string[][]
  /**
   * The action that the user confirms by pressing its key again, until `until` in milliseconds since 1970.
   */
  armed: { key: 'stop' | 'leave' | 'rewind'; until: number } | undefined
  lastKeyAt: number
}

/** The complete state of an inline screen. Each function declares only the parts that it needs. */
export interface InlineState {
  readonly screen: InlineScreen
  readonly conversation: ShownConversation
  readonly composer: InputComposer
  readonly overlays: ScreenOverlays
  readonly display: ScreenDisplay
  readonly hints: ScreenHints
}

interface EarlierBlocks {
  readonly blocks: readonly ConversationBlock[]
  /** Position in the thread of the first event among these blocks. */
  readonly from: number
}

/** State that only the full screen has. */
interface FullState {
  window: FullView
  isPaneClosed: boolean
  /** True once there has been work that the pane can show. Before that the conversation has all columns. */
  isPaneUsed: boolean
  /** True if the screen captures the mouse, so that the terminal sends its events. */
  readonly hasMouse: boolean
  notes: PlacedNote[]
  /** The earlier blocks that the last frame showed. */
  drawnOlder: readonly unknown[] | undefined
  selection: TextSelection | undefined
  /** Position at which the mouse button was pressed; undefined after its release. */
  pressed: TextPlace | undefined
  /**
   * The last frame: its conversation lines, the indexes of those at which the user's messages begin, and the
   * number of rows for the conversation.
   */
  shown: DrawnLines & { height: number }
}

/** Time in milliseconds within which the user must press a key again to confirm. */
export const armedMs = 2_000

/** Largest number of rows of a hint above the status line. A longer hint is printed. */
export const maxHintRows = 3

/**
 * Shows a hint for `ms` milliseconds, or until the first key after `readMs` milliseconds. A hint of more than
 * `maxHintRows` rows is printed instead, unless a page is open.
 */
export function showHint(state: InlineState, text: string, ms = 5_000, readMs?: number): void {
  const pen = penOfLook(narrowLook(state.display.look, margin))
  const rows = pen.wrap(sanitizeText(text), pen.look.width)
  const isLong = rows.length > maxHintRows && !state.overlays.page && state.overlays.pages.length === 0
  if (isLong) state.hints.notes.push(indentLines(rows))
  const now = Date.now()
  const dueAt = readMs === undefined ? undefined : now + readMs
  state.hints.hint = isLong ? undefined : { text, until: now + ms, dueAt }
  state.screen.changed(true)
}

/** Shortest time in milliseconds for which an error stays while the user types. */
export const errorReadMs = 1_000

/** Shows the message of an error together with its hint. */
export function showFailure(state: InlineState, error: unknown): void {
  const hint = error instanceof UserError && error.hint !== undefined ? `; ${error.hint}` : ''
  showHint(state, messageOf(error) + hint, 10_000, errorReadMs)
}

/**
 * Returns the drawing settings for a terminal. The last column stays free, because some terminals wrap a row
 * that fills it.
 */
export function lookOf(
  { env }: Pick<SessionIo, 'env'>,
  columns: number,
  theme: ScreenTheme = 'auto',
): RenderLook {
  const stream = { isTTY: true, columns }
  const { color, unicode, ambiguous } = terminalOptions({ env: { ...env, COLUMNS: undefined }, stream })
  return applyTheme({ width: Math.max(1, columns - 1), color, unicode, ambiguous, all: false }, theme)
}

/**
 * Returns the columns of the open pane of the full screen. Returns 0 if the pane is closed, has not shown any
 * work yet, or has no room.
 */
export const paneRoom = (
  { isPaneClosed, isPaneUsed }: Pick<InlineState['display']['full'], 'isPaneClosed' | 'isPaneUsed'>,
  columns: number,
): number => (isPaneClosed || !isPaneUsed ? 0 : paneCells(columns))

/**
 * Updates the size and the drawing settings. Returns true if they changed. While the width, the theme and the
 * pane do not change, the same `look` object is kept, because drawn lines are cached by it.
 */
export function fitLook(state: InlineState, size: { columns: number; rows: number }): boolean {
  const {
    display: { form, full },
  } = state
  if (size.columns !== state.display.size.columns)
    state.display.wide = lookOf(state.screen.io, size.columns, state.display.theme)
  full.isPaneUsed ||= hasPaneWork({ view: state.conversation.view, boards: state.overlays.boards })
  const room = form === 'full' ? paneRoom(full, size.columns) : 0
  const look = room > 0 ? narrowLook(state.display.wide, room) : state.display.wide
  if (look === state.display.look && size.rows === state.display.size.rows) return false
  state.display.look = look
  state.display.size = size
  return true
}
