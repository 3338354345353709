// Field for messages to a run. A message starts a turn if the run is idle, and steers the run or is queued
// otherwise. A button stops the run.
import { h } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { SessionView } from '../../session/view/session-view.ts'
import { revealText } from '../text/shown-text.ts'
import { type AttachedFile, AttachedFiles, contentWithFiles, readFiles } from './attached-files.ts'
import type { SendCommand } from './send-command.ts'

export function RunComposer({ view, send }: { view: SessionView; send: SendCommand }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [files, setFiles] = useState<readonly AttachedFile[]>([])
  const isWorking = view.run !== undefined
  const say = async (type: 'say' | 'steer' | 'queue') => {
    const text = field.current?.value.trim() ?? ''
    if ((text === '' && files.length === 0) || isBusy) return
    setBusy(true)
    // The text stays in the field if the server rejects the message.
    if (await send({ type, content: contentWithFiles(text, files) })) {
      setFiles([])
      if (field.current) field.current.value = ''
    }
    setBusy(false)
  }
  const usual = () => void say(isWorking ? 'steer' : 'say')
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    usual()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    usual()
  }
  const button = (label: string, press: () => void, more = {}) =>
    h('button', { type: 'button', onClick: press, ...more }, label)
  return h(
    'form',
    { class: 'composer', onSubmit: submit },
    h(QueuedMessages, { view, send }),
    h(AttachedFiles, { files, remove: (one) => setFiles(files.filter((file) => file !== one)) }),
    h(
      'label',
      null,
      h('span', { class: 'unseen' }, isWorking ? 'Steer it' : 'Say something'),
      h('textarea', {
        ref: field,
        rows: 2,
        onKeyDown: press,
        'aria-keyshortcuts': 'Enter',
        placeholder: isWorking ? 'Steer it: taken at the next step' : 'Say something',
      }),
    ),
    h(
      'div',
      { class: 'answers' },
      h('button', { type: 'submit', disabled: isBusy }, isWorking ? 'Steer' : 'Say'),
      isWorking && button('Queue', () => void say('queue'), { disabled: isBusy }),
      h(FileChooser, { files, setFiles }),
      h('span', { class: 'quiet keys' }, 'Enter sends, Shift+Enter begins a new line'),
      isWorking && button('Stop', () => void send({ type: 'interrupt' }), { class: 'danger' }),
    ),
  )
}

interface FileChooserProps {
  files: readonly AttachedFile[]
  setFiles: (files: readonly AttachedFile[]) => void
}

function FileChooser({ files, setFiles }: FileChooserProps) {
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const choose = async ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    const chosenFiles = [...(input.files ?? [])]
    // The input is cleared, so that the same file can be chosen again after it was removed.
    input.value = ''
    try {
      setFiles([...files, ...(await readFiles(chosenFiles, files))])
      setProblem(undefined)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return [
    h(
      'label',
      { key: 'choose', class: 'button attach' },
      'Attach',
      h('input', { type: 'file', multiple: true, class: 'unseen', onChange: choose }),
    ),
    problem !== undefined && h('p', { key: 'problem', role: 'alert', class: 'problem' }, problem),
  ]
}

function QueuedMessages({ view, send }: { view: SessionView; send: SendCommand }) {
  return view.queue.map(({ id, kind, text }) => {
    const takeBack = () => void send({ type: 'unqueue', message: id })
    return h(
      'p',
      { key: id, class: 'queued' },
      h('span', { class: 'who' }, kind),
      h('span', null, revealText(text)),
      h('button', { type: 'button', class: 'plain', onClick: takeBack }, 'Withdraw'),
    )
  })
}
