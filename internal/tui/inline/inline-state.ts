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

export interface InlineState {
  readonly client: SessionClient
  readonly service: SessionService
  readonly io: SessionIo
  readonly editor: TextEditor
  readonly keys: KeyMap
  readonly notify: NoticeKind | undefined
  readonly draft: DraftFile
  /** What the person has chosen by flags and commands, for the next conversation. */
  wishes: SessionWishes
  view: SessionView
  /** Position of the first event that the screen began with. */
  readonly firstEvent: number
  /** What lies before it, as far as it was read. */
  earlier: EarlierBlocks | undefined
  isReadingEarlier: boolean
  /** Child agents by their threads, in the order in which they began. */
  readonly children: Map<string, { title: string; view: SessionView }>
  /** The child whose transcript the page shows; undefined: that of the session. */
  pageThread: string | undefined
  /** The view has been told what goes on now. */
  isCurrent: boolean
  /** `inline` prints into the terminal's own scrollback, `full` draws the whole terminal. */
  form: 'inline' | 'full'
  theme: ScreenTheme
  readonly full: FullState
  /** Of the conversation and what is docked below it. */
  look: RenderLook
  /** Of the whole terminal. */
  wide: RenderLook
  size: { columns: number; rows: number }
  dialog: OpenDialog | undefined
  /** What the dialog was in the last frame that the terminal has taken. */
  shownDialog: object | undefined
  /** Calls whose dialog the person has put off: it opens on demand, a form with what was answered. */
  readonly putOff: Map<string, QuestionDialog | undefined>
  page: TranscriptPage | undefined
  /** Pages below it; the last one is seen. */
  readonly pages: LivePage[]
  /** Studies and experiments that go on beside the conversation, once there was one. */
  boards: BoardFollower | undefined
  menu: CompletionMenu | undefined
  /** Undefined until a slash was typed. */
  skills: readonly NamedSkill[] | undefined
  pastes: PasteStore
  history: InputHistory
  /** What was said in other threads of the workspace has been asked for. */
  isHistoryWhole: boolean
  /** The text that was put aside, as it was shown and whole. */
  aside: { shown: string; text: string; pastes: PasteStore } | undefined
  /** Whole texts that were sent and are not on record yet. */
  unsent: readonly { text: string }[]
  /** Said above the status line until then. */
  hint: { text: string; until: number } | undefined
  /** Undefined where the terminal does not tell. */
  focused: boolean | undefined
  lastKeyAt: number
  /** The key that has to come again, and until when. */
  armed: { key: 'stop' | 'leave' | 'rewind'; until: number } | undefined
  /** What was said and is not on record yet: the model or its servers are still opening. */
  sending: { text: string; since: number } | undefined
  /** What an untrusted workspace brings, until the person was asked about it. */
  trustOffer: TrustView | undefined
  /** The person leaves, but later. */
  leaving: PendingLeave | undefined
  /** Another command of the program that runs for this screen. */
  verb: { name: string; since: number; stop: AbortController } | undefined
  /** Pictures of this session's texts by what stands for them: a text that is called back has them again. */
  pictures: ReadonlyMap<string, AttachedPicture>
  /** Lines of the program's own that are printed next. */
  readonly notes: string[][]
  /** What the screen can do, for those who decide on keys. */
  readonly screen: {
    changed(soon?: boolean): void
    redraw(): void
    suspend(): void
    signal(bytes: string): void
    leave(code: number): void
    /** Goes on with another conversation, which is open already. */
    open(client: SessionClient, text: string): void
    /** Gives the terminal to somebody else until that is over. */
    lend(use: () => Promise<void>): Promise<void>
  }
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

export function showHint(state: InlineState, text: string, ms = 5_000): void {
  const pen = penOfLook(narrowLook(state.look, margin))
  const rows = pen.wrap(sanitizeText(text), pen.look.width)
  const isLong = rows.length > maxHintRows && !state.page && state.pages.length === 0
  if (isLong) state.notes.push(indentLines(rows))
  state.hint = isLong ? undefined : { text, until: Date.now() + ms }
  state.screen.changed(true)
}

/** What failed, and what can be done about it. */
export function showFailure(state: InlineState, error: unknown): void {
  const hint = error instanceof UserError && error.hint !== undefined ? `; ${error.hint}` : ''
  showHint(state, messageOf(error) + hint, 10_000)
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
  const { form, full } = state
  if (size.columns !== state.size.columns) state.wide = lookOf(state.io, size.columns, state.theme)
  const room = form === 'full' && !full.isPaneClosed ? paneCells(size.columns) : 0
  const look = room > 0 ? narrowLook(state.wide, room) : state.wide
  if (look === state.look && size.rows === state.size.rows) return false
  state.look = look
  state.size = size
  return true
}
