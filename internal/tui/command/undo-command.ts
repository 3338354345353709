// Going back: files as they were, and conversations from an earlier message on.

import type { UndoPreview } from '../../session/client.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { textLook } from '../approval/argument-lines.ts'
import { diffLines } from '../call/diff-lines.ts'
import { readFileDiffs } from '../call/file-changes.ts'
import type { PickerItem } from '../dialog/picker.ts'
import { askChoice, openPickerDialog } from '../inline/dialogs.ts'
import { type InlineState, showHint } from '../inline/inline-state.ts'
import { sendCommand } from '../inline/send-command.ts'
import type { SourceLine } from '../terminal/rows.ts'
import { outcomeOfBlock } from '../view/call-view.ts'

/** Shows what would be put back, and does it at `y`; `then` follows where it was done. */
export async function undoFiles(state: InlineState, to?: number, then?: () => void): Promise<void> {
  const place = to === undefined ? {} : { to }
  const undo = (await sendCommand(state, { type: 'undo', ...place }))?.undo
  if (!undo) return
  const { id, files, left } = undo
  if (files.length === 0) {
    const why = left.map(({ path, why: reason }) => `${path}: ${reason}`).join('; ')
    showHint(state, why === '' ? 'nothing to undo: files are as they were' : `stays as it is: ${why}`)
    return then?.()
  }
  const title = files.length === 1 ? 'Put back one file' : `Put back ${files.length} files`
  const answers = [{ key: 'y', label: 'put back', isLast: true }]
  askChoice(state, { title, lines: undoLines(undo, state), answers }, async () => {
    if (!(await sendCommand(state, { type: 'undo', ...place, preview: id }))) return
    state.notes.push([` ${files.length === 1 ? 'One file was' : `${files.length} files were`} put back.`])
    state.screen.changed(true)
    then?.()
  })
}

function undoLines({ files, left }: UndoPreview, { look }: InlineState): SourceLine[] {
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

/** Picks one of the own messages, and goes back to before it. */
export function rewindThread(state: InlineState): void {
  const messages = ownMessages(state.view)
  if (state.view.run || messages.length === 0) {
    showHint(state, state.view.run ? 'a run goes on: Esc stops it' : 'nothing was said in this thread yet')
    return
  }
  const items: PickerItem<string>[] = messages.map(({ pos, text, files }) => {
    const about = files === 0 ? '' : files === 1 ? '1 file changed' : `${files} files changed`
    return { value: String(pos), label: text.replace(/\s+/g, ' ').slice(0, 60), about }
  })
  const now = { value: 'now', label: 'now', about: 'stay here' }
  openPickerDialog(
    state,
    'Back to before',
    [...items, now],
    (value) => {
      const message = messages.find(({ pos }) => String(pos) === value)
      if (message) askWhat(state, message)
    },
    'now',
  )
}

function askWhat(state: InlineState, { pos, text }: { pos: number; text: string }): void {
  const lines = [
    { text: `Back to before: ${text.replace(/\s+/g, ' ').slice(0, 200)}` },
    { text: 'The conversation goes on in a copy; this thread stays as it is.' },
  ]
  const answers = [
    { key: 'c', label: 'conversation' },
    { key: 'f', label: 'files' },
    { key: 'b', label: 'both' },
  ]
  askChoice(state, { title: 'Rewind', lines, answers }, (key) => {
    const copy = () => forkBefore(state, pos, text)
    if (key === 'c') copy()
    else void undoFiles(state, pos - 1, key === 'b' ? copy : undefined)
  })
}

function forkBefore({ view, screen }: InlineState, pos: number, text: string): void {
  const isFirst = ownMessages(view)[0]?.pos === pos && view.dropped === 0
  screen.open(isFirst ? { kind: 'new' } : { kind: 'fork', thread: view.thread, at: pos - 1 }, text)
}

export function forkThread(state: InlineState, place: string): void {
  const { view, screen } = state
  const at = place === '' ? view.pos : Number(place)
  if (view.pos === 0) showHint(state, 'nothing was said in this thread yet')
  else if (!Number.isInteger(at) || at < 1 || at > view.pos)
    showHint(state, `${place} is no event of this thread: it has ${view.pos}`)
  else screen.open({ kind: 'fork', thread: view.thread, at })
}
