// Puts files back to how they were: first shown, then done exactly so or not at all.

import { h } from 'preact'
import { useState } from 'preact/hooks'
import { countNoun } from '../../../base/text/count-noun.ts'
import type { UndoPreview } from '../../../session/client.ts'
import { revealText } from '../../text/shown-text.ts'
import { FileChange } from '../call/file-change.ts'
import type { SendCommand } from '../send-command.ts'

/** `to`: the event after which files are to be as they were; absent: before the last run. */
export function UndoPanel({ send, to }: { send: SendCommand; to?: number | undefined }) {
  const [shown, setShown] = useState<UndoPreview | undefined>(undefined)
  const [done, setDone] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const from = to === undefined ? {} : { to }
  const ask = async (preview?: string) => {
    setBusy(true)
    const reply = await send({ type: 'undo', ...from, preview })
    setBusy(false)
    const isDone = reply !== undefined && preview !== undefined
    setDone(isDone ? describeUndone(reply.undo) : undefined)
    setShown(isDone ? undefined : reply?.undo)
  }
  const button = (label: string, press: () => void, more = {}) =>
    h('button', { type: 'button', disabled: isBusy, onClick: press, ...more }, label)
  const words = to === undefined ? 'Undo file changes of the last run…' : 'Undo file changes since…'
  if (shown === undefined)
    return h(
      'div',
      { class: 'undo' },
      button(words, () => void ask(), { class: 'plain' }),
      h('p', { role: 'status', class: 'quiet' }, done),
    )
  const { id, files, left } = shown
  return h(
    'section',
    { class: 'card undo', 'aria-label': 'Undo' },
    h('p', null, files.length === 0 ? 'There is nothing to put back.' : 'This would be put back:'),
    files.map((change) => h(FileChange, { key: change.path, change })),
    left.length > 0 && [
      h('p', { class: 'quiet' }, 'These stay as they are:'),
      h(
        'ul',
        null,
        left.map(({ path, why }) => h('li', null, h('code', null, revealText(path)), ` ${revealText(why)}`)),
      ),
    ],
    h(
      'div',
      { class: 'answers' },
      files.length > 0 && button('Put back', () => void ask(id), { class: 'primary' }),
      button('Leave it', () => setShown(undefined)),
    ),
  )
}

function describeUndone(undo: UndoPreview | undefined): string {
  return `${countNoun(undo?.files.length ?? 0, 'file was', 'files were')} put back.`
}
