// The docked dialogs: when they open, how they handle keys, and how they follow changes of the view.

import type { PermissionAnswer } from '../../session/commands.ts'
import {
  describeAnswers,
  openApprovalDialog,
  pressApprovalKey,
  resizeApprovalDialog,
  updateApprovalDialog,
} from '../dialog/approval-dialog.ts'
import {
  type DialogAnswer,
  frameRows,
  hasAnswerKey,
  openChoiceDialog,
  pressChoiceKey,
  pressEntryKey,
} from '../dialog/choice-dialog.ts'
import { isBlindKey, mayOpenDialog, notShown, showDialog } from '../dialog/dialog-focus.ts'
import { openPicker, type PickerItem, type PickerWishes, pressPickerKey } from '../dialog/picker.ts'
import { openQuestionDialog, pressQuestionKey } from '../dialog/question-dialog.ts'
import { keepWords } from '../input/editor-text.ts'
import type { KeyPress } from '../input/key-press.ts'
import { openApprovalPage } from '../page/approval-page.ts'
import { breakLines, type SourceLine } from '../terminal/rows.ts'
import { layOutApproval } from '../view/approval-box.ts'
import { boxCells, countTitleRows } from '../view/box.ts'
import { narrowLook, penOfLook } from '../view/look-pen.ts'
import { type InlineState, showHint } from './inline-state.ts'
import { sendCommand } from './send-command.ts'

/**
 * Opens the oldest pending approval, or else question. Returns true if one opened; false also if a dialog is
 * open already. With `isRequested` the user requested it, so a postponed one opens as well. Otherwise it
 * opens only while the editor is empty and the user does not type.
 */
export function openWaiting(state: InlineState, isRequested: boolean, now = Date.now()): boolean {
  if (state.overlays.dialog) return false
  const {
    conversation: { view },
    overlays: { putOff },
    composer: { editor },
    hints: { lastKeyAt },
  } = state
  if (!isRequested && !mayOpenDialog({ text: editor.text(), lastKeyAt }, now)) return false
  const isNew = ({ call }: { call: string }) => isRequested || !putOff.has(call)
  const wait = view.waits.find(isNew)
  const question = view.questions.find(isNew)
  if (wait) {
    const layout = layOutApproval(wait, state.display.look, state.display.size.rows)
    // The next key may belong to a word that the user is typing, so the new dialog ignores early keys.
    state.overlays.dialog = { kind: 'approval', state: openApprovalDialog(wait, layout) }
  } else if (question) {
    state.overlays.dialog = {
      kind: 'question',
      state: putOff.get(question.call) ?? openQuestionDialog(question),
    }
  }
  if (state.overlays.dialog && state.hints.hint?.text === waitsHint) state.hints.hint = undefined
  return state.overlays.dialog !== undefined
}

/**
 * Closes an approval or a question that waits no more, for example because another client answered it, and
 * updates an approval with newer facts.
 */
export function fitDialog(state: InlineState): void {
  const {
    overlays: { dialog },
    conversation: { view },
  } = state
  if (dialog?.kind === 'approval') {
    const permission = view.waits.find(({ call }) => call === dialog.state.asked.call)
    if (!permission) dropDialog(state)
    else if (permission !== dialog.state.asked) {
      const layout = layOutApproval(permission, state.display.look, state.display.size.rows)
      dialog.state = updateApprovalDialog(dialog.state, permission, layout)
    }
  }
  if (dialog?.kind === 'question' && !view.questions.some(({ call }) => call === dialog.state.call)) {
    dropDialog(state)
  }
}

/** Records that the terminal received the dialog in the state `dialogState`, unless it has changed since. */
export function markShown(state: InlineState, dialogState: object): void {
  const { dialog } = state.overlays
  if (dialog?.state !== dialogState) return
  const now = Date.now()
  if (dialog.kind === 'approval') dialog.state = showDialog(dialog.state, now)
  else if (dialog.kind === 'question') dialog.state = showDialog(dialog.state, now)
  else if (dialog.kind === 'choice') dialog.shownAt = Math.min(dialog.shownAt, now)
  state.overlays.shownDialog = dialog.state
}

export function resizeDialog({ overlays: { dialog }, display: { look, size } }: InlineState): void {
  if (dialog?.kind !== 'approval') return
  dialog.state = resizeApprovalDialog(dialog.state, layOutApproval(dialog.state.asked, look, size.rows))
}

export function openPickerDialog(
  state: InlineState,
  title: string,
  items: readonly PickerItem<string>[],
  pick: (value: string) => void,
  more?: PickerWishes<string>,
): void {
  state.hints.hint = undefined
  state.overlays.dialog = { kind: 'picker', state: openPicker(title, items, more), pick }
  state.screen.changed(true)
}

/** Opens a choice, with lines that the user reviews and answers by key. */
export function askChoice(
  state: InlineState,
  {
    title,
    lines,
    answers,
    isOffered = false,
  }: {
    title: string
    lines: readonly SourceLine[]
    answers: readonly DialogAnswer[]
    /** True if the dialog opens by itself, so that the first keys still go to the editor. */
    isOffered?: boolean
  },
  choose: (key: string) => void,
): void {
  const pen = penOfLook(narrowLook(state.display.look, boxCells))
  const rows = breakLines(lines, pen.look.width, pen)
  const room = state.display.size.rows - frameRows - countTitleRows({ title }, state.display.look)
  const height = Math.max(1, Math.min(rows.length, room))
  state.hints.hint = undefined
  const dialog = openChoiceDialog(title, { rows, height }, answers)
  state.overlays.dialog = { kind: 'choice', state: dialog, shownAt: notShown, isOffered, choose }
  state.screen.changed(true)
}

/** Opens a dialog in which the user types one line. */
export function askEntry(
  state: InlineState,
  { title, lines, isSecret }: { title: string; lines: readonly string[]; isSecret: boolean },
  enter: (text: string) => void,
): void {
  state.hints.hint = undefined
  state.overlays.dialog = { kind: 'entry', state: { title, lines, isSecret, text: '' }, enter }
  state.screen.changed(true)
}

/** Handles a key in the open dialog. Returns false if the key belongs to the editor. */
export function pressDialogKey(state: InlineState, press: KeyPress, now = Date.now()): boolean {
  const { dialog } = state.overlays
  if (press.key === 'ctrl-c' && !(dialog?.kind === 'choice' && hasAnswerKey(dialog.state, press.key))) {
    putOff(state)
    return true
  }
  switch (dialog?.kind) {
    case 'approval':
      return pressApproval(state, dialog, press, now)
    case 'question':
      return pressQuestion(state, dialog, press, now)
    case 'picker': {
      const outcome = pressPickerKey(dialog.state, press)
      dialog.state = outcome.state
      if (!outcome.effect) return true
      state.overlays.dialog = undefined
      if (outcome.effect.kind === 'picked') dialog.pick(outcome.effect.value)
      return true
    }
    case 'choice': {
      if (dialog.shownAt === notShown && !dialog.isOffered) {
        if (press.key === 'escape') state.overlays.dialog = undefined
        return press.key === 'escape'
      }
      if (dialog.isOffered && isBlindKey(dialog.shownAt, now)) {
        putOff(state)
        return false
      }
      const isSeen = dialog.state === state.overlays.shownDialog
      const outcome = pressChoiceKey(dialog.state, press)
      dialog.state = outcome.state
      if (outcome.key !== undefined && !isSeen) return true
      if (outcome.closed || (outcome.key !== undefined && !outcome.stays)) state.overlays.dialog = undefined
      if (outcome.key !== undefined) dialog.choose(outcome.key)
      return !outcome.passed
    }
    case 'entry': {
      const outcome = pressEntryKey(dialog.state, press)
      dialog.state = outcome.state
      if (outcome.closed || outcome.entered !== undefined) state.overlays.dialog = undefined
      if (outcome.entered !== undefined) dialog.enter(outcome.entered)
      return true
    }
    default:
      return false
  }
}

type DialogOf<K> = Extract<NonNullable<InlineState['overlays']['dialog']>, { kind: K }>

function pressApproval(
  state: InlineState,
  dialog: DialogOf<'approval'>,
  press: KeyPress,
  now: number,
): boolean {
  const isSeen = dialog.state === state.overlays.shownDialog
  const before = dialog.state
  const { state: next, effect, isUnknown } = pressApprovalKey(before, press, now)
  dialog.state = next
  // The user has left the text input with Escape, so its words go to the history.
  if (before.words !== undefined && next.words === undefined && !effect)
    keepWords(state.composer, before.words)
  if (isUnknown) showHint(state, describeAnswers(next))
  else if (state.hints.hint?.text === describeAnswers(before)) state.hints.hint = undefined
  // The terminal has not yet shown the current state of the dialog, so the user cannot allow the call.
  if (effect?.kind === 'answer' && effect.answer.allow && !isSeen) return true
  switch (effect?.kind) {
    case 'later':
      putOff(state)
      return !effect.passed
    case 'page':
      openApprovalPage(state)
      return true
    case 'answer': {
      const { call } = next.asked
      state.overlays.dialog = undefined
      state.overlays.putOff.set(call, undefined)
      void sendAnswer(state, call, effect)
      return true
    }
    default:
      return true
  }
}

/** Sends an answer to an approval. A new mode is sent first, so that it applies to the following calls. */
async function sendAnswer(
  state: InlineState,
  call: string,
  { answer, mode }: { answer: PermissionAnswer; mode?: 'edits' },
): Promise<void> {
  if (mode) await sendCommand(state, { type: 'set_mode', mode })
  await sendCommand(state, { type: 'answer_permission', call, answer })
}

function pressQuestion(
  state: InlineState,
  dialog: DialogOf<'question'>,
  press: KeyPress,
  now: number,
): boolean {
  const { state: next, effect } = pressQuestionKey(dialog.state, press, now)
  dialog.state = next
  if (effect?.kind === 'later') {
    putOff(state)
    if (effect.typed) state.composer.editor.insert(effect.typed)
    return !effect.passed
  }
  if (effect?.kind === 'answer') {
    if (effect.answer.status === 'dismissed') keepWords(state.composer, typedInDialog(dialog))
    state.overlays.dialog = undefined
    state.overlays.putOff.set(next.call, undefined)
    void sendCommand(state, { type: 'answer_question', call: next.call, answer: effect.answer })
  }
  return true
}

/** Returns the text that the user has typed into an approval or question; empty for other dialogs. */
export function typedInDialog(dialog: InlineState['overlays']['dialog']): string {
  if (dialog?.kind === 'approval') return dialog.state.words ?? ''
  if (dialog?.kind !== 'question') return ''
  const { drafts, words = '', questionnaire, at } = dialog.state
  const now = questionnaire.questions[at]?.id
  const texts = [...drafts].map(([id, text]) => (id === now && words !== '' ? '' : text))
  return [...texts, words].filter((text) => text !== '').join('\n')
}

/** Closes a dialog whose request has ended. The user can recall the typed text from the history. */
function dropDialog(state: InlineState): void {
  const words = typedInDialog(state.overlays.dialog)
  state.overlays.dialog = undefined
  if (words.trim() === '') return
  keepWords(state.composer, words)
  showHint(state, 'answered elsewhere; your text is in the input history')
}

/** Closes the dialog without an answer. It will not open by itself again. */
function putOff(state: InlineState): void {
  const { dialog } = state.overlays
  if (dialog?.kind === 'approval') state.overlays.putOff.set(dialog.state.asked.call, undefined)
  if (dialog?.kind === 'question')
    state.overlays.putOff.set(dialog.state.call, { ...dialog.state, shownAt: notShown })
  if (dialog?.kind === 'approval') keepWords(state.composer, typedInDialog(dialog))
  state.overlays.dialog = undefined
  if (dialog?.kind === 'approval' || dialog?.kind === 'question') showHint(state, waitsHint, 2_000)
}

const waitsHint = 'still waiting; Tab answers it'
