// The handling of keys. The open page or dialog, the menu, the session, or the editor receives each key.

import { dataDir } from '../../base/dirs.ts'
import { inlineCommandScreen } from '../command/inline-command-screen.ts'
import {
  attachClipboardPicture,
  attachPicture,
  editText,
  mentionDropped,
  readDroppedPicture,
} from '../command/outside-text.ts'
import { openHelp, openPalette, runSlashCommand } from '../command/run-slash-command.ts'
import { cycleMode } from '../command/setup-command.ts'
import { handleMouse, pressFullKey, togglePane } from '../full/full-keys.ts'
import { paneCells } from '../full/pane.ts'
import { readOtherDrafts } from '../input/draft.ts'
import { addText, eraseLabel, exchangeAside, replaceText } from '../input/editor-text.ts'
import { newerEntry, olderEntry, prependEntries } from '../input/history.ts'
import type { SessionAction } from '../input/key-map.ts'
import { type KeyPress, showKey } from '../input/key-press.ts'
import { addPaste } from '../input/paste.ts'
import { readKeyPress } from '../input/read-key-press.ts'
import { pressPageKey } from '../page/live-page.ts'
import { pressBlockKey } from '../page/page-block.ts'
import type { TerminalInput } from '../terminal/key-decoder.ts'
import { isTooSmall } from '../terminal/least-size.ts'
import { completeText, moveMenu, runsSelected, takesEnter } from './completion-menu.ts'
import { openPickerDialog, pressDialogKey } from './dialogs.ts'
import { extendPage, transcriptOf } from './earlier-blocks.ts'
import { holdInput } from './held-input.ts'
import { type InlineState, showHint } from './inline-state.ts'
import { sendCommand } from './send-command.ts'
import { clearOrLeave, goBack, leaveAtOnce } from './stop-session.ts'
import { submitText } from './submit-text.ts'
import { openTranscript, pressTranscriptKey } from './transcript-page.ts'
import { openNextDialog } from './trust-offer.ts'

export function handleInput(state: InlineState, input: TerminalInput, edited: () => void): void {
  if (state.overlays.held) {
    state.overlays.held.push(input)
    return
  }
  if (input.kind === 'focus') {
    state.display.focused = input.focused
    return
  }
  if (input.kind === 'mouse') {
    if (state.display.form === 'full' && !state.overlays.page && state.overlays.pages.length === 0)
      handleMouse(state, input)
    return
  }
  const now = Date.now()
  const press = readKeyPress(input)
  const { hint } = state.hints
  if (hint?.dueAt !== undefined && hint.dueAt <= now) state.hints.hint = undefined
  if (isUnseen(state, press)) {
    // The terminal is too small to show the page or dialog, so neither gets the key. If a dialog is open,
    // the editor gets the typed text.
    if (!state.overlays.page && state.overlays.pages.length === 0) typeInput(state, input, press)
  } else if (state.overlays.page && pressBlockKey(state, press)) {
    // the key was for the selected block
  } else if (state.overlays.page) {
    const before = state.overlays.page.top
    state.overlays.page = pressTranscriptKey(state.overlays.page, press, state.display.size.rows)
    if (!state.overlays.page) state.conversation.pageThread = undefined
    else if (state.overlays.page.top <= before) void extendPage(state)
  } else if (state.overlays.pages.length > 0) {
    pressPageKey(state, press)
  } else if (!state.overlays.dialog || !pressDialogKey(state, press, now)) {
    typeInput(state, input, press)
  }
  edited()
  state.hints.lastKeyAt = now
  state.screen.changed(true)
}

/**
 * Returns true if the terminal is too small for the page or dialog that receives the keys. Escape and Ctrl-C
 * still reach it. A dialog with a typed line keeps its keys, because the line may be secret.
 */
function isUnseen(
  { display: { size }, overlays: { page, pages, dialog } }: InlineState,
  { key }: KeyPress,
): boolean {
  if (!isTooSmall(size) || key === 'escape' || key === 'ctrl-c') return false
  return page !== undefined || pages.length > 0 || (dialog !== undefined && dialog.kind !== 'entry')
}

type TypedInput = Extract<TerminalInput, { kind: 'key' | 'paste' }>

function typeInput(state: InlineState, input: TypedInput, press: KeyPress): void {
  if (input.kind === 'paste') pasteText(state, input.text)
  else pressKey(state, press, input.sequence)
}

function pasteText(state: InlineState, text: string): void {
  const dropped = readDroppedPicture(text, state.screen.io.env.HOME)
  if (dropped !== undefined) {
    void attachPicture(state, dropped, text)
    return
  }
  const mention = mentionDropped(text, state.screen.io.env.HOME)
  if (mention !== undefined) {
    state.composer.editor.insert(`${mention} `)
    return
  }
  const { store, insert } = addPaste(state.composer.pastes, text)
  state.composer.pastes = store
  state.composer.editor.insert(insert)
}

function pressKey(state: InlineState, press: KeyPress, sequence: string): void {
  const {
    composer: { editor, menu },
    screen: { keys },
  } = state
  if (press.key === '?' && editor.isEmpty()) {
    openHelp(state)
    return
  }
  if (menu && (press.key === 'up' || press.key === 'down')) {
    state.composer.menu = moveMenu(menu, press.key === 'up' ? -1 : 1)
    return
  }
  if (state.display.form === 'full' && pressFullKey(state, press)) return
  if (press.key === 'backspace' && eraseLabel(state.composer)) return
  const action = keys.actionOf(press.key)
  if (action !== 'back' && action !== 'clearOrLeave' && action !== 'leave') state.hints.armed = undefined
  if (action === undefined || !doAction(state, action)) {
    // An unknown key sequence types no text, so the editor does not get it.
    if (press.key !== '' || press.text !== '') editor.press(sequence)
  }
}

/** Runs the action of a key. Returns false if the key has its usual meaning in a text. */
function doAction(state: InlineState, action: SessionAction): boolean {
  return actions[action](state) !== false
}

const actions: Readonly<Record<SessionAction, (state: InlineState) => unknown>> = {
  send: sendOrBreakLine,
  newLine: ({ composer: { editor } }) => editor.insert('\n'),
  complete: completeOrAnswer,
  cycleMode: (state) => cycleMode(inlineCommandScreen(state)),
  back: goBack,
  clearOrLeave,
  leave: (state) => (state.composer.editor.isEmpty() ? leaveAtOnce(state) : false),
  older: (state) => stepHistory(state, 'older'),
  newer: (state) => stepHistory(state, 'newer'),
  transcript(state) {
    state.overlays.page = openTranscript(
      transcriptOf(state),
      state.display.wide,
      state.display.size.rows,
      Date.now(),
    )
  },
  suspend: ({ screen }) => screen.suspend(),
  redraw: ({ screen }) => screen.redraw(),
  palette: (state) => openPalette(state, (name) => void doAction(state, name)),
  showTasks(state) {
    const { form, full, size } = state.display
    if (form === 'full' && full.isPaneUsed && paneCells(size.columns) > 0) togglePane(state)
    else void runSlashCommand(state, 'todo', '').catch(() => undefined)
  },
  help: openHelp,
  searchHistory: (state) => holdInput(state, () => searchHistory(state)),
  putAside,
  pastePicture: attachClipboardPicture,
  editor: editText,
}

async function sendOrBreakLine(state: InlineState): Promise<void> {
  const {
    composer: { editor, menu },
    conversation: { view },
  } = state
  if (menu && takesEnter(menu)) {
    const isComplete = runsSelected(menu)
    completeOrAnswer(state)
    if (!isComplete) return
  }
  const text = editor.text()
  if (text[editor.caret() - 1] === '\\') {
    editor.press('\x7f')
    editor.insert('\n')
    return
  }
  const [queued] = view.queue
  if (editor.isEmpty() && queued && !view.run) {
    // An earlier run may have left messages in the queue, which this key sends.
    await sendCommand(state, { type: 'say', content: '' })
    return
  }
  await submitText(state)
}

/** Completes the menu item, else opens a pending dialog, else submits the text (queued during a run). */
function completeOrAnswer(state: InlineState): void {
  const {
    composer: { menu, editor },
    conversation: { view },
  } = state
  if (menu) {
    const { text, caret } = completeText(menu, editor.text(), editor.caret())
    editor.setText(text, caret)
    state.composer.menu = undefined
  } else if (!openNextDialog(state, true) && !editor.isEmpty()) {
    void submitText(state, view.run ? 'queue' : 'now')
  }
}

/**
 * Steps through the history. Returns false if the key moves the cursor instead. In an empty editor the last
 * queued message comes first.
 */
function stepHistory(state: InlineState, action: 'older' | 'newer'): boolean {
  const {
    composer: { editor, history },
    conversation: { view },
  } = state
  if (action === 'older') {
    if (!editor.isAtStart()) return false
    const queued = view.queue.at(-1)
    if (editor.isEmpty() && queued) {
      void takeBack(state, queued.id, queued.text)
      return true
    }
    if (!state.composer.isHistoryWhole) {
      void readOlder(state)
      return true
    }
  } else if (!editor.isAtEnd()) return false
  const step = action === 'older' ? olderEntry(history, editor.text()) : newerEntry(history)
  if (!step) return false
  state.composer.history = step.history
  editor.setText(step.text)
  return true
}

async function takeBack(state: InlineState, message: string, text: string): Promise<void> {
  if (await sendCommand(state, { type: 'unqueue', message })) addText(state.composer, text)
  state.screen.changed(true)
}

/**
 * Loads the messages of other threads for the first step back in the history. If the user types meanwhile,
 * the text stays.
 */
async function readOlder(state: InlineState): Promise<void> {
  const {
    composer: { editor },
  } = state
  const before = editor.text()
  await readWholeHistory(state)
  if (editor.text() === before && !state.overlays.dialog) stepHistory(state, 'older')
  state.screen.changed(true)
}

const maxMessages = 1_000

async function readWholeHistory(state: InlineState): Promise<void> {
  if (state.composer.isHistoryWhole) return
  state.composer.isHistoryWhole = true
  const older = await state.screen.service.listPastMessages?.(maxMessages).catch(() => [])
  const {
    screen: { io },
    conversation: { client },
    composer: { history },
  } = state
  const unsent = readOtherDrafts(dataDir(io.env), client.thread, io.cwd)
  state.composer.history = prependEntries(prependEntries(history, unsent), older ?? [])
}

async function searchHistory(state: InlineState): Promise<void> {
  await readWholeHistory(state)
  if (state.overlays.dialog) return
  const items = state.composer.history.entries.map((text) => ({
    value: text,
    label: text.slice(0, 200),
    about: '',
  }))
  if (items.length === 0) showHint(state, 'this workspace has no messages yet')
  else
    openPickerDialog(state, 'Earlier messages', items.reverse(), (text) => replaceText(state.composer, text))
}

function putAside(state: InlineState): void {
  const isEmpty = state.composer.editor.isEmpty()
  const hasAside = state.composer.aside !== undefined
  exchangeAside(state.composer)
  if (isEmpty && !hasAside) showHint(state, 'no text to stash')
  if (isEmpty) return
  const [key] = state.screen.keys.keysOf('putAside')
  showHint(
    state,
    `stashed; ${key === undefined ? 'the same key' : showKey(key)} in an empty editor restores it`,
  )
}
