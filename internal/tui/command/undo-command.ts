// Going back: files as they were, and conversations from an earlier message on.

import { countNoun } from '../../base/text/count-noun.ts'
import type { UndoPreview } from '../../session/client.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { textLook } from '../approval/argument-lines.ts'
import { diffLines } from '../call/diff-lines.ts'
import { readFileDiffs } from '../call/file-changes.ts'
import type { PickerItem } from '../dialog/picker.ts'
import type { SourceLine } from '../terminal/rows.ts'
import { outcomeOfBlock } from '../view/call-view.ts'
import type { CommandScreen } from './command-screen.ts'
import { readHistoryPages } from './history-pages.ts'

/** Shows what would be put back, and does it at `y`; `then` follows where it was done. */
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

/** Own messages, newest last, each with how many files changed after it. */
function ownMessages({ blocks }: SessionView) {
  return blocks.flatMap((block, at) => {
    if (block.kind !== 'user' || block.origin !== undefined || block.pos === undefined) return []
    const end = blocks.findIndex((one, i) => i > at && one.kind === 'user' && one.origin === undefined)
    const run = blocks.slice(at + 1, end < 0 ? undefined : end)
    const paths = run.flatMap((one) => {
      const outcome = one.kind === 'call' ? outcomeOfBlock(one) : undefined
      return outcome ? readFileDiffs(outcome).map(({ path }) => path) : []
    })
    return [{ pos: block.pos, text: block.text, files: new Set(paths).size }]
  })
}

const nowItem = 'now'

/** Picks one of the own messages, and goes back to before it. */
export function rewindThread(screen: CommandScreen): void {
  const messages = ownMessages(screen.view)
  if (screen.view.run || messages.length === 0) {
    screen.tell(screen.view.run ? 'a run goes on: stop it first' : 'nothing was said in this thread yet')
    return
  }
  const items: PickerItem<string>[] = messages.map(({ pos, text, files }) => {
    const about = files === 0 ? '' : `${countNoun(files, 'file')} changed`
    return { value: String(pos), label: text.replace(/\s+/g, ' ').slice(0, 60), about }
  })
  const now = { value: nowItem, label: 'now', about: 'stay here' }
  screen.pick(
    'Back to before',
    [...items, now],
    (value) => {
      const message = messages.find(({ pos }) => String(pos) === value)
      if (message) askWhat(screen, message)
      else screen.tell('stays here')
    },
    nowItem,
  )
}

function askWhat(screen: CommandScreen, { pos, text }: { pos: number; text: string }): void {
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
    const copy = () => forkBefore(screen, pos, text)
    return key === 'c' ? copy() : undoFiles(screen, pos - 1, key === 'b' ? copy : undefined)
  })
}

async function forkBefore(screen: CommandScreen, pos: number, text: string): Promise<void> {
  const { client, view } = screen
  const source = (await hasOwnMessage(client, pos))
    ? ({ kind: 'fork', thread: view.thread, at: pos - 1 } as const)
    : ({ kind: 'new' } as const)
  return screen.open(source, text)
}

/** Whether the person had said something before an event: a view does not hold all of a long thread. */
async function hasOwnMessage(client: CommandScreen['client'], before: number): Promise<boolean> {
  for await (const page of readHistoryPages(client, before))
    for (const event of page)
      if (event.type === 'message' && event.payload.role === 'user' && event.payload.origin === undefined)
        return true
  return false
}

/** Up to event `place`, in digits; empty: all of it. */
export function forkThread(screen: CommandScreen, place: string): void | Promise<void> {
  const { view } = screen
  const at = place === '' ? view.pos : Number(place)
  if (view.pos === 0) screen.tell('nothing was said in this thread yet')
  else if (!Number.isInteger(at) || at < 1 || at > view.pos)
    screen.tell(`${place} is no event of this thread; name one from 1 to ${view.pos}`)
  else return screen.open({ kind: 'fork', thread: view.thread, at })
}
