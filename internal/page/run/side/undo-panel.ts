// Panel that previews the file changes to undo or redo, then applies exactly these.

import { h } from 'preact'
import { useState } from 'preact/hooks'
import { countNoun } from '../../../base/text/count-noun.ts'
import type { UndoPreview } from '../../../session/client.ts'
import { revealText } from '../../text/shown-text.ts'
import { FileChange } from '../call/file-change.ts'
import type { SendCommand } from '../send-command.ts'

/**
 * Shows the panel. `to` is the position of an event; all file changes since then are undone. Default: the
 * changes of the latest run that is not reverted yet.
 */
export function UndoPanel({ send, to }: { send: SendCommand; to?: number | undefined }) {
  const [undoPreview, setShown] = useState<UndoPreview | undefined>(undefined)
  const [done, setDone] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const [redo, setRedo] = useState(false)
  const ask = async (redo: boolean, preview?: string) => {
    setRedo(redo)
    setBusy(true)
    const reply = await send({ type: 'undo', to, redo: redo || undefined, preview })
    setBusy(false)
    const isDone = reply !== undefined && preview !== undefined
    setDone(isDone ? describeUndone(reply.undo) : undefined)
    setShown(isDone ? undefined : reply?.undo)
  }
  const button = (label: string, press: () => void, more = {}) =>
    h('button', { type: 'button', disabled: isBusy, onClick: press, ...more }, label)
  const words = to === undefined ? 'Undo file changes of the last run…' : 'Undo file changes since…'
  if (undoPreview === undefined)
    return h(
      'div',
      { class: 'undo' },
      button(words, () => void ask(false), { class: 'plain' }),
      to === undefined && button('Redo…', () => void ask(true), { class: 'plain' }),
      h('p', { role: 'status', class: 'quiet' }, done),
    )
  const { id, files, left: unchangedFiles, message = '', skipped = '' } = undoPreview
  const verb = redo ? 'Redo' : 'Undo'
  return h(
    'section',
    { class: 'card undo', 'aria-label': 'Undo' },
    h('p', null, files.length === 0 ? `No file changes to ${verb.toLowerCase()}.` : `${verb} these changes?`),
    message !== '' && h('p', { class: 'quiet' }, `Made by the run of “${revealText(message.slice(0, 80))}”.`),
    skipped !== '' && h('p', { class: 'quiet' }, 'Your last message changed no files that can be undone.'),
    files.map((change) => h(FileChange, { key: change.path, change })),
    unchangedFiles.length > 0 && [
      h('p', { class: 'quiet' }, 'These stay as they are:'),
      h(
        'ul',
        null,
        unchangedFiles.map(({ path, why }) =>
          h('li', null, h('code', null, revealText(path)), ` ${revealText(why)}`),
        ),
      ),
    ],
    h(
      'div',
      { class: 'answers' },
      files.length > 0 && button(verb, () => void ask(redo, id), { class: 'primary' }),
      button('Cancel', () => setShown(undefined)),
    ),
  )
}

function describeUndone(undo: UndoPreview | undefined): string {
  return `${countNoun(undo?.files.length ?? 0, 'file')} restored.`
}
