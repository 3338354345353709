// The initial state of an inline screen, with earlier events and the text that was not sent.
import { dataDir } from '../../base/dirs.ts'
import { messageOf } from '../../base/errors.ts'
import type { SessionClient, SessionEvent, SessionService } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'
import { openFullView } from '../full/full-view.ts'
import { openDraftFile } from '../input/draft.ts'
import { addHistoryEntry, emptyHistory, readHistoryEntries } from '../input/history.ts'
import { buildKeyMap } from '../input/key-map.ts'
import type { SessionIo, SessionScreenOptions } from '../screen-options.ts'
import { openTextEditor } from '../terminal/library.ts'
import { type InlineScreen, type InlineState, lookOf, showHint } from './inline-state.ts'

/**
 * Largest number of events that a screen loads at its start. Older events are counted, and loaded when the
 * user scrolls up.
 */
const maxEvents = 500

/** The functions of the screen that key handlers may call. */
type ScreenControl = Pick<
  InlineScreen,
  'press' | 'changed' | 'redraw' | 'suspend' | 'signal' | 'leave' | 'open' | 'lend'
>

type ScreenSettings = Partial<
  Pick<SessionScreenOptions, 'form' | 'keys' | 'notify' | 'mouse' | 'theme' | 'wishes'>
>

const openFullState = (hasMouse = true): InlineState['display']['full'] => ({
  window: openFullView,
  isPaneClosed: false,
  isPaneUsed: false,
  hasMouse,
  notes: [],
  drawnOlder: undefined,
  selection: undefined,
  pressed: undefined,
  shown: { lines: [], messages: [], height: 1 },
})

const openConversation = (
  client: SessionClient,
  events: readonly SessionEvent[],
): InlineState['conversation'] => ({
  client,
  view: events.reduce(foldSessionEvent, emptyView(client.thread)),
  firstEvent: firstPositionOf(events),
  earlier: undefined,
  isReadingEarlier: false,
  children: new Map(),
  pageThread: undefined,
  isCurrent: false,
  sending: undefined,
})

const openOverlays = (): InlineState['overlays'] => ({
  dialog: undefined,
  shownDialog: undefined,
  putOff: new Map(),
  page: undefined,
  pages: [],
  held: undefined,
  trustOffer: undefined,
  boards: undefined,
})

export async function openInlineState(
  client: SessionClient,
  service: SessionService,
  io: SessionIo,
  control: ScreenControl,
  { form, keys, notify, mouse, theme = 'auto', wishes = {} }: ScreenSettings = {},
): Promise<InlineState> {
  const events = client.openedAt > 0 ? await client.readHistory(client.openedAt + 1, maxEvents) : []
  const built = buildKeyMap(keys)
  if (built.kind === 'problems') throw new Error(built.problems.join('\n'))
  const size = { columns: io.output.columns || 80, rows: io.output.rows || 24 }
  const wide = lookOf(io, size.columns, theme)
  const state: InlineState = {
    screen: { ...control, service, io, keys: built.map, notify, wishes, leaving: undefined, verb: undefined },
    conversation: openConversation(client, events),
    composer: {
      editor: openTextEditor(() => state.display.size.rows),
      draft: openDraftFile(dataDir(io.env), client.thread, {
        cwd: io.cwd,
        failed: (error) => showHint(state, `your draft cannot be saved: ${messageOf(error)}`, 10_000),
      }),
      pastes: new Map(),
      pictures: new Map(),
      history: readHistory(events),
      isHistoryWhole: service.listPastMessages === undefined,
      aside: undefined,
      menu: undefined,
      skills: undefined,
      unsent: [],
    },
    overlays: openOverlays(),
    display: {
      form: form === 'full' ? form : 'inline',
      theme,
      full: openFullState(mouse),
      look: wide,
      wide,
      size,
      focused: undefined,
    },
    hints: { hint: undefined, notes: [], armed: undefined, lastKeyAt: 0 },
  }
  const { editor, draft } = state.composer
  editor.setText(draft.load())
  return state
}

function firstPositionOf([first]: readonly SessionEvent[]): number {
  return (first && 'pos' in first ? first.pos : undefined) ?? 1
}

const readHistory = (events: readonly SessionEvent[]) =>
  readHistoryEntries(events).reduce(addHistoryEntry, emptyHistory)

/**
 * Returns the number of blocks before the last `exchanges` exchanges (messages of the user with their
 * answers); 0 if the view has fewer exchanges.
 */
export function countEarlier({ blocks }: SessionView, exchanges = 2): number {
  const messages = blocks.flatMap((block, i) =>
    block.kind === 'user' && block.origin === undefined ? [i] : [],
  )
  return messages.at(-exchanges) ?? 0
}
