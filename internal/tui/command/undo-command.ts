// Undo of file changes, and rewind of a conversation to an earlier message.

import { countNoun } from '../../base/text/count-noun.ts'
import type { SessionEvent, UndoPreview } from '../../session/client.ts'
import { textLook } from '../approval/argument-lines.ts'
import type { PickerItem } from '../dialog/picker.ts'
import { diffLines } from '../run-view/diff-lines.ts'
import type { SourceLine } from '../terminal/rows.ts'
import type { CommandScreen } from './command-screen.ts'
import { readWholeThread } from './history-pages.ts'
import { createChangeReader } from './thread-changes.ts'

/** Shows the files that would be restored, and restores them at `y`. Calls `then` afterwards. */
export async function undoFiles(
  screen: CommandScreen,
  to?: number,
  then?: () => void | Promise<void>,
): Promise<void> {
  const place = to === undefined ? {} : { to }
  const undo = (await screen.send({ type: 'undo', ...place }))?.undo
  if (!undo) return
  const { id, files, left } = undo
  if (files.length === 0) {
    const why = left.map(({ path, why: reason }) => `${path}: ${reason}`).join('; ')
    screen.tell(why === '' ? 'nothing to undo: files are as they were' : `stays as it is: ${why}`)
    return then?.()
  }
  const title = `Put back ${countNoun(files.length, 'file')}`
  const answers = [{ key: 'y', label: 'put back', isLast: true }]
  screen.choose({ title, lines: undoLines(undo, screen), answers }, async () => {
    if (!(await screen.send({ type: 'undo', ...place, preview: id }))) return
    screen.print([` ${countNoun(files.length, 'file was', 'files were')} put back.`])
    await then?.()
  })
}

function undoLines({ files, left }: UndoPreview, { look }: CommandScreen): SourceLine[] {
  return [
    ...files.flatMap((file) => diffLines(file, textLook(look.unicode), true)),
    ...left.map(({ path, why }) => ({ text: `stays as it is: ${path}: ${why}` })),
    { text: 'What shell commands have changed is not on record and stays.' },
  ]
}

interface OwnMessage {
  pos: number
  text: string
  /** Files that its run changed. */
  paths: ReadonlySet<string>
}

/**
 * Returns the messages of the user in a thread, newest last. `events` are all events of the thread in order.
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

/** Lets the user pick one of their messages and rewinds to before it. */
export async function rewindThread(screen: CommandScreen): Promise<void> {
  const messages = listOwnMessages(await readWholeThread(screen))
  if (screen.view.run) return screen.tell('a run goes on: stop it first')
  if (messages.length === 0) return screen.tell('nothing was said in this thread yet')
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
    nowItem,
  )
}

function askWhat(screen: CommandScreen, message: OwnMessage, hasEarlier: boolean): void {
  const { pos, text } = message
  const lines = [
    { text: `Back to before: ${text.replace(/\s+/g, ' ').slice(0, 200)}` },
    { text: 'The conversation goes on in a copy; this thread stays as it is.' },
  ]
  const answers = [
    { key: 'c', label: 'conversation' },
    { key: 'f', label: 'files' },
    { key: 'b', label: 'both' },
  ]
  screen.choose({ title: 'Rewind', lines, answers }, (key) => {
    const copy = () => forkBefore(screen, message, hasEarlier)
    return key === 'c' ? copy() : undoFiles(screen, pos - 1, key === 'b' ? copy : undefined)
  })
}

/** Forks the thread before the message. The first message has no earlier event, so a new session opens. */
function forkBefore(
  screen: CommandScreen,
  { pos, text }: OwnMessage,
  hasEarlier: boolean,
): void | Promise<void> {
  const { thread } = screen.view
  return screen.open(hasEarlier ? { kind: 'fork', thread, at: pos - 1 } : { kind: 'new' }, text)
}

/** Forks the thread up to event `place`, a number in digits. Default: the whole thread. */
export function forkThread(screen: CommandScreen, place: string): void | Promise<void> {
  const { view } = screen
  const at = place === '' ? view.pos : Number(place)
  if (view.pos === 0) screen.tell('nothing was said in this thread yet')
  else if (!Number.isInteger(at) || at < 1 || at > view.pos)
    screen.tell(`${place} is no event of this thread; name one from 1 to ${view.pos}`)
  else return screen.open({ kind: 'fork', thread: view.thread, at })
}
