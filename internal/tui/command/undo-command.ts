// The commands `/undo`, `/redo`, `/rewind` and `/fork`.

import { countNoun } from '../../base/text/count-noun.ts'
import type { SessionEvent, UndoPreview } from '../../session/client.ts'
import { textLook } from '../approval/argument-lines.ts'
import type { PickerItem } from '../dialog/picker.ts'
import { diffLines } from '../run-view/diff-lines.ts'
import type { SourceLine } from '../terminal/rows.ts'
import type { CommandScreen } from './command-screen.ts'
import { readWholeThread } from './history-pages.ts'
import { createChangeReader } from './thread-changes.ts'

interface UndoWishes {
  /**
   * Position of an event: files get back the state that they had after that event. Default: only the latest
   * run (with `redo`, the latest undo) is reverted.
   */
  to?: number
  redo?: boolean
}

/**
 * Shows the effects of an undo or redo, and applies it if the user presses `y`. Calls `then` afterwards, or
 * immediately if no file would change; not if the user declines or the session rejects the undo.
 */
export async function undoFiles(
  screen: CommandScreen,
  wishes: UndoWishes = {},
  then?: () => void | Promise<void>,
): Promise<void> {
  const { to, redo } = wishes
  const undo = (await screen.send({ type: 'undo', to, redo }))?.undo
  if (!undo) return
  const { id, files, left: leftFiles } = undo
  if (files.length === 0) {
    const why = leftFiles.map(({ path, why: reason }) => `${path}: ${reason}`).join('; ')
    screen.tell(why === '' ? nothingLeft(wishes) : `nothing to ${verbOf(wishes)}: ${why}`)
    return then?.()
  }
  const answers = [{ key: 'y', label: redo ? 'redo' : 'restore', isLast: true }]
  screen.choose({ title: undoTitle(undo, wishes), lines: undoLines(undo, screen), answers }, async () => {
    if (!(await screen.send({ type: 'undo', to, redo, preview: id }))) return
    const next = redo ? '/undo reverts them.' : '/undo goes further back, /redo reverts this.'
    screen.print([` ${countNoun(files.length, 'file')} restored.${to === undefined ? ` ${next}` : ''}`])
    await then?.()
  })
}

const verbOf = ({ redo }: UndoWishes) => (redo ? 'redo' : 'undo')

function nothingLeft({ to, redo }: UndoWishes): string {
  if (redo) return 'nothing to redo: no undo is newer than the last change of a file'
  if (to !== undefined) return 'no files to restore: tools changed none since then'
  return 'nothing to undo: no changes by tools are left in this thread; /diff shows the working tree'
}

function undoTitle({ files, message = '' }: UndoPreview, wishes: UndoWishes): string {
  const count = countNoun(files.length, 'file')
  if (wishes.to !== undefined || message === '') return `Restore ${count}`
  const by = `${count} by "${shortText(message, 40)}"`
  return wishes.redo ? `Redo changes of ${by}` : `Undo changes of ${by}`
}

const shortText = (text: string, limit: number) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line
}

function undoLines(
  { files, left: leftFiles, skipped = '' }: UndoPreview,
  { look }: CommandScreen,
): SourceLine[] {
  const note = `Your last message, "${shortText(skipped, 40)}", changed no files that can be undone.`
  return [
    ...(skipped === '' ? [] : [{ text: note }]),
    ...files.flatMap((file) => diffLines(file, textLook(look.unicode, look.color), true)),
    ...leftFiles.map(({ path, why }) => ({ text: `unchanged: ${path}: ${why}` })),
    { text: 'Files that commands changed outside of the sandbox are not recorded and stay.' },
  ]
}

interface OwnMessage {
  pos: number
  text: string
  /** Files that the run of the message changed. */
  paths: ReadonlySet<string>
}

/**
 * Returns the messages of the user in a thread, oldest first, each with the files that its run changed.
 * `events` are all events of the thread in order.
 */
export function listOwnMessages(events: readonly SessionEvent[]): OwnMessage[] {
  const messages: (OwnMessage & { paths: Set<string> })[] = []
  const readChanges = createChangeReader()
  for (const event of events) {
    if (isOwnMessage(event) && event.pos !== undefined)
      messages.push({ pos: event.pos, text: event.payload.text, paths: new Set() })
    for (const { file } of readChanges(event)) messages.at(-1)?.paths.add(file.path)
  }
  return messages
}

type OwnMessageEvent = Extract<SessionEvent, { type: 'message' }>

const isOwnMessage = (event: SessionEvent): event is OwnMessageEvent =>
  event.type === 'message' && event.payload.role === 'user' && event.payload.origin === undefined

const nowItem = 'now'

/**
 * Lets the user pick one of their messages and go back to the state before it. The user chooses whether the
 * files, the conversation (as a copy of the thread) or both go back.
 */
export async function rewindThread(screen: CommandScreen): Promise<void> {
  const messages = listOwnMessages(await readWholeThread(screen))
  if (screen.view.run) return screen.tell('a run is active; stop it first')
  if (messages.length === 0) return screen.tell('this thread has no messages yet')
  const items: PickerItem<string>[] = messages.map(({ pos, text, paths }) => {
    const about = paths.size === 0 ? '' : `${countNoun(paths.size, 'file')} changed: ${[...paths].join(', ')}`
    return { value: String(pos), label: text.replace(/\s+/g, ' ').slice(0, 60), about }
  })
  const now = { value: nowItem, label: 'now', about: 'stay here' }
  screen.pick(
    'Back to before',
    [...items, now],
    (value) => {
      const message = messages.find(({ pos }) => String(pos) === value)
      if (message) askWhat(screen, message, message !== messages[0])
      else screen.tell('stays here')
    },
    { current: nowItem },
  )
}

function askWhat(screen: CommandScreen, message: OwnMessage, hasEarlier: boolean): void {
  const { pos, text } = message
  const lines = [
    { text: `Back to before: ${text.replace(/\s+/g, ' ').slice(0, 200)}` },
    { text: 'The conversation continues in a copy. This thread is unchanged.' },
  ]
  const answers = [
    { key: 'c', label: 'conversation' },
    { key: 'f', label: 'files' },
    { key: 'b', label: 'both' },
  ]
  screen.choose({ title: 'Rewind', lines, answers }, (key) => {
    const copy = () => forkBefore(screen, message, hasEarlier)
    return key === 'c' ? copy() : undoFiles(screen, { to: pos - 1 }, key === 'b' ? copy : undefined)
  })
}

/**
 * Forks the thread before the message, whose text goes into the editor. The first message has no earlier
 * event to fork from, so a new session opens.
 */
function forkBefore(
  screen: CommandScreen,
  { pos, text }: OwnMessage,
  hasEarlier: boolean,
): void | Promise<void> {
  const { thread } = screen.view
  return screen.open(hasEarlier ? { kind: 'fork', thread, at: pos - 1 } : { kind: 'new' }, text)
}

/**
 * Forks the thread after the event number `place`, given in digits. Default: the whole thread is copied. For
 * an invalid number or an empty thread, only shows the reason.
 */
export function forkThread(screen: CommandScreen, place: string): void | Promise<void> {
  const { view } = screen
  const at = place === '' ? view.pos : Number(place)
  if (view.pos === 0) screen.tell('this thread has no messages yet')
  else if (!Number.isInteger(at) || at < 1 || at > view.pos)
    screen.tell(`unknown event "${place}"; use a number from 1 to ${view.pos}`)
  else return screen.open({ kind: 'fork', thread: view.thread, at })
}
