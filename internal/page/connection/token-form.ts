// Form for the token of the server, shown if the server does not give the page access.
import { h } from 'preact'
import { useState } from 'preact/hooks'
import { exchangeSecret } from './page-key.ts'

export function TokenForm({ problem, done }: { problem: string | undefined; done: () => void }) {
  const [wrong, setWrong] = useState(problem)
  const send = async (event: Event) => {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('token') as HTMLInputElement
    const failed = await exchangeSecret({ kind: 'token', value: field.value.trim() })
    field.value = ''
    setWrong(failed)
    if (failed === undefined) done()
  }
  return h(
    'form',
    { class: 'card', onSubmit: send },
    h('h1', null, 'This page needs a token'),
    h(
      'p',
      null,
      'Paste the token that ',
      h('code', null, 'anode serve'),
      ' stored in its token file; ',
      h('code', null, 'anode serve token'),
      ' creates another one.',
    ),
    h(
      'label',
      null,
      'Token ',
      h('input', { name: 'token', type: 'password', autocomplete: 'off', required: true, size: 48 }),
    ),
    h('button', { type: 'submit' }, 'Log in'),
    h('p', { role: 'alert', class: 'problem' }, wrong),
  )
}
