// Actions of a message: fork the conversation before it, or restore the files as they were at that time.
import { h } from 'preact'
import { useState } from 'preact/hooks'
import { goToPage } from '../page-link.ts'
import type { SendCommand } from './send-command.ts'
import { UndoPanel } from './side/undo-panel.ts'

export function MessageActions({ pos, send }: { pos: number; send: SendCommand }) {
  const [isUndoing, setUndoing] = useState(false)
  const fork = async () => {
    const reply = await send({ type: 'fork', at: pos - 1 })
    if (reply?.thread !== undefined) goToPage(`/runs/${reply.thread}`)
  }
  const button = (label: string, press: () => void) =>
    h('button', { type: 'button', class: 'plain', onClick: press }, label)
  return [
    h(
      'span',
      { class: 'actions' },
      pos > 1 && button('Fork before this', () => void fork()),
      button('Undo files since', () => setUndoing(!isUndoing)),
    ),
    isUndoing && h(UndoPanel, { send, to: pos }),
  ]
}
