// Words to a run: said when it rests, steering or queued while it works, and its stop.
import { h } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { SessionView } from '../../../session/view/session-view.ts'
import { revealText } from '../text/shown-text.ts'
import type { SendCommand } from './send-command.ts'

export function RunComposer({ view, send }: { view: SessionView; send: SendCommand }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [isBusy, setBusy] = useState(false)
  const isWorking = view.run !== undefined
  const say = async (type: 'say' | 'steer' | 'queue') => {
    const content = field.current?.value.trim() ?? ''
    if (content === '' || isBusy) return
    setBusy(true)
    // what was not taken stays
    if ((await send({ type, content })) && field.current) field.current.value = ''
    setBusy(false)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void say(isWorking ? 'steer' : 'say')
  }
  return h(
    'form',
    {
      class: 'composer',
      onSubmit: (event: Event) => {
        event.preventDefault()
        void say(isWorking ? 'steer' : 'say')
      },
    },
    view.queue.map(({ id, kind, text }) =>
      h(
        'p',
        { key: id, class: 'queued' },
        h('span', { class: 'who' }, kind),
        ' ',
        revealText(text),
        ' ',
        h(
          'button',
          { type: 'button', onClick: () => void send({ type: 'unqueue', message: id }) },
          'Take back',
        ),
      ),
    ),
    h(
      'label',
      { class: 'wide' },
      isWorking ? 'Steer it' : 'Say something',
      h('textarea', { ref: field, rows: 3, onKeyDown: press, 'aria-keyshortcuts': 'Enter' }),
    ),
    h(
      'div',
      { class: 'answers' },
      h('button', { type: 'submit', disabled: isBusy }, isWorking ? 'Steer' : 'Say'),
      isWorking &&
        h('button', { type: 'button', disabled: isBusy, onClick: () => void say('queue') }, 'Queue'),
      isWorking && h('button', { type: 'button', onClick: () => void send({ type: 'interrupt' }) }, 'Stop'),
    ),
  )
}
