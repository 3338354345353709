// Asks for the token of the server where the page has none.
import { h } from 'preact'
import { useState } from 'preact/hooks'
import { exchangeToken } from './page-key.ts'

export function TokenForm({ problem, done }: { problem: string | undefined; done: () => void }) {
  const [wrong, setWrong] = useState(problem)
  const send = async (event: Event) => {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('token') as HTMLInputElement
    const failed = await exchangeToken(field.value.trim())
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
      'It lies in the file that ',
      h('code', null, 'anode serve'),
      ' has named; ',
      h('code', null, 'anode serve token'),
      ' gives out others.',
    ),
    h(
      'label',
      null,
      'Token ',
      h('input', { name: 'token', type: 'password', autocomplete: 'off', required: true, size: 48 }),
    ),
    h('button', { type: 'submit' }, 'Go on'),
    h('p', { role: 'alert', class: 'problem' }, wrong),
  )
}
