// What an inline screen knows beside the view of its session: the text being written, what is open, hints.
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
import { paneCells } from '../full/pane.ts'
import type { TextPlace, TextSelection } from '../full/selection.ts'
import type { DraftFile } from '../input/draft.ts'
import type { InputHistory } from '../input/history.ts'
import type { KeyMap } from '../input/key-map.ts'
import type { PasteStore } from '../input/paste.ts'
import type { NamedSkill } from '../input/slash-command.ts'
import type { LivePage } from '../page/live-page.ts'
import type { SessionIo } from '../screen-options.ts'
import type { TextEditor } from '../terminal/library.ts'
import { indentLines, margin, narrowLook, penOfLook } from '../view/look-pen.ts'
import { applyTheme, type ScreenTheme } from '../view/themes.ts'
import type { CompletionMenu } from './completion-menu.ts'
import type { NoticeKind } from './notice.ts'
import type { TranscriptPage } from './transcript-page.ts'

/** A picture that goes with a message. */
export interface AttachedPicture {
  mime: string
  base64: string
}

/** How one conversation on the screen ended. */
export type InlineOutcome =
  | { kind: 'left'; code: number }
  /** `text` is put into the editor there; `wishes` are what the person has chosen so far. */
  | { kind: 'open'; client: SessionClient; text: string; wishes: SessionWishes }

/** Once nothing goes on any more, or once the run goes on without this screen. */
export type PendingLeave =
  | { kind: 'when_done' }
  | { kind: 'hand_over'; stay: AbortController; hurry: AbortController }

/** What has the keys instead of the editor. */
type OpenDialog =
  | { kind: 'approval'; state: ApprovalDialog }
  | { kind: 'question'; state: QuestionDialog }
  | { kind: 'picker'; state: PickerState<string>; pick(value: string): void }
  | { kind: 'choice'; state: ChoiceDialog; shownAt: number; isOffered: boolean; choose(key: string): void }
  | { kind: 'entry'; state: EntryDialog; enter(text: string): void }

/** The terminal and what the program does with it for this screen. */
export interface InlineScreen {
  readonly service: SessionService
  readonly io: SessionIo
  readonly keys: KeyMap
  readonly notify: NoticeKind | undefined
  /** What the user chose by flags and commands, for the next conversation. */
  wishes: SessionWishes
  /** The user leaves, but later. */
  leaving: PendingLeave | undefined
  /** Another command of the program that runs for this screen. */
  verb: { name: string; since: number; stop: AbortController } | undefined
  changed(soon?: boolean): void
  redraw(): void
  suspend(): void
  signal(bytes: string): void
  leave(code: number): void
  /** Continues with another conversation, which is open already. */
  open(client: SessionClient, text: string): void
  /** Gives the terminal to another program until that is over. */
  lend(use: () => Promise<void>): Promise<void>
}

/** The conversation that is shown, and those of its subagents. */
interface ShownConversation {
  readonly client: SessionClient
  view: SessionView
  /** Position of the first event that the screen began with. */
  readonly firstEvent: number
  /** What was before it, as far as it was read. */
  earlier: EarlierBlocks | undefined
  isReadingEarlier: boolean
  /** Subagents by their threads, in the order in which they began. */
  readonly children: Map<string, { title: string; view: SessionView }>
  /** The subagent whose transcript the page shows; undefined: that of the session. */
  pageThread: string | undefined
  /** The view has been told the present state of the session. */
  isCurrent: boolean
  /** What was said and is not on record yet: the model or its servers are still opening. */
  sending: { text: string; since: number } | undefined
}

/** The text that the user writes, and all that belongs to it. */
interface InputComposer {
  readonly editor: TextEditor
  readonly draft: DraftFile
  pastes: PasteStore
  /** Images of this session's texts by their labels: a text that is called back has them again. */
  pictures: ReadonlyMap<string, AttachedPicture>
  history: InputHistory
  /** Messages of other threads of the workspace have been asked for. */
  isHistoryWhole: boolean
  /** The text that was put aside, as it was shown and whole. */
  aside: { shown: string; text: string; pastes: PasteStore } | undefined
  menu: CompletionMenu | undefined
  /** Undefined until a slash was typed. */
  skills: readonly NamedSkill[] | undefined
  /** Whole texts that were sent and are not on record yet. */
  unsent: readonly { text: string }[]
}

/** What covers the conversation. */
interface ScreenOverlays {
  dialog: OpenDialog | undefined
  /** What the dialog was in the last frame that the terminal has taken. */
  shownDialog: object | undefined
  /** Calls whose dialog the user has put off: it opens on demand, a form with what was answered. */
  readonly putOff: Map<string, QuestionDialog | undefined>
  page: TranscriptPage | undefined
  /** Pages below it; the last one is seen. */
  readonly pages: LivePage[]
  /** What an untrusted workspace brings, until the user was asked about it. */
  trustOffer: TrustView | undefined
  /** Studies and experiments of the workspace, once there was one. */
  boards: BoardFollower | undefined
}

/** The size and the look of the screen. */
interface ScreenDisplay {
  /** `inline` prints into the terminal's own scrollback, `full` draws the whole terminal. */
  form: 'inline' | 'full'
  theme: ScreenTheme
  readonly full: FullState
  /** Of the conversation and what is docked below it. */
  look: RenderLook
  /** Of the whole terminal. */
  wide: RenderLook
  size: { columns: number; rows: number }
  /** Undefined where the terminal does not tell. */
  focused: boolean | undefined
}

/** What the program says to the user for a moment. */
interface ScreenHints {
  /** Shown above the status line until then; the next key after `dueAt` removes an error before. */
  hint: { text: string; until: number; dueAt?: number | undefined } | undefined
  /** Lines of the program's own that are printed next. */
  readonly notes: string[][]
  /** The key that has to come again, and until when. */
  armed: { key: 'stop' | 'leave' | 'rewind'; until: number } | undefined
  lastKeyAt: number
}

/** What an inline screen knows; a function that needs some parts of it asks for those alone. */
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
  /** Position of the first event that was read. */
  readonly from: number
}

/** What the full screen alone knows. */
interface FullState {
  window: FullView
  isPaneClosed: boolean
  /** Mouse events are asked for. */
  readonly hasMouse: boolean
  notes: PlacedNote[]
  /** The earlier blocks of the last frame. */
  drawnOlder: readonly unknown[] | undefined
  selection: TextSelection | undefined
  /** Where the button of the mouse went down and is still held. */
  pressed: TextPlace | undefined
  /** The last frame: all lines of the conversation, where messages begin, rows of the window. */
  shown: DrawnLines & { height: number }
}

/** How long a first key counts. */
export const armedMs = 2_000

/** Rows above the status line that a hint may take; a longer one is printed. */
export const maxHintRows = 3

/** `readMs`: the next key removes the hint once it was shown for so long. */
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

/** An error that arrives while the user types stays at least so long. */
export const errorReadMs = 1_000

/** What failed, and what can be done about it. */
export function showFailure(state: InlineState, error: unknown): void {
  const hint = error instanceof UserError && error.hint !== undefined ? `; ${error.hint}` : ''
  showHint(state, messageOf(error) + hint, 10_000, errorReadMs)
}

/** The last column stays free: some terminals go on to the next row when it is filled. */
export function lookOf(
  { env }: Pick<SessionIo, 'env'>,
  columns: number,
  theme: ScreenTheme = 'auto',
): RenderLook {
  const stream = { isTTY: true, columns }
  const { color, unicode, ambiguous } = terminalOptions({ env: { ...env, COLUMNS: undefined }, stream })
  return applyTheme({ width: Math.max(1, columns - 1), color, unicode, ambiguous, all: false }, theme)
}

/** One object for each size: what was drawn with it is kept. */
export function fitLook(state: InlineState, size: { columns: number; rows: number }): boolean {
  const {
    display: { form, full },
  } = state
  if (size.columns !== state.display.size.columns)
    state.display.wide = lookOf(state.screen.io, size.columns, state.display.theme)
  const room = form === 'full' && !full.isPaneClosed ? paneCells(size.columns) : 0
  const look = room > 0 ? narrowLook(state.display.wide, room) : state.display.wide
  if (look === state.display.look && size.rows === state.display.size.rows) return false
  state.display.look = look
  state.display.size = size
  return true
}
