// The form that begins a run.
import { h } from 'preact'
import { useState } from 'preact/hooks'
import type { RunSummary } from '../../run-summary.ts'
import { askServer, describeProblem } from '../connection/ask-server.ts'
import { goToPage } from '../page-link.ts'
import type { PageScopes } from '../page-scopes.ts'

const modes = [
  ['ask', 'ask before each change'],
  ['edits', 'edit files unasked'],
  ['auto', 'also build and test unasked'],
  ['unrestricted', 'everything unasked'],
] as const

export function StartForm({ runs, scopes }: { runs: readonly RunSummary[]; scopes: PageScopes }) {
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const places = [...new Set(runs.map(({ workspace }) => workspace))]
  const start = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      const wishes = readWishes(event.currentTarget as HTMLFormElement)
      const { thread } = await askServer<{ thread: string }>('/v1/runs', {
        body: { id: crypto.randomUUID(), ...wishes },
      })
      goToPage(`/runs/${thread}`)
    } catch (error) {
      setProblem(describeProblem(error))
      setBusy(false)
    }
  }
  const choices = scopes.includes('approve') ? modes : modes.slice(0, 1)
  return h(
    'details',
    { class: 'card' },
    h('summary', null, 'Start a run'),
    h(
      'form',
      { onSubmit: start },
      h('label', null, 'Task ', h('textarea', { name: 'task', required: true, rows: 3 })),
      h(
        'label',
        null,
        'Workspace ',
        h('input', { name: 'workspace', required: true, list: 'places', defaultValue: places[0] ?? '' }),
      ),
      h(
        'datalist',
        { id: 'places' },
        places.map((place) => h('option', { value: place })),
      ),
      h('label', null, 'Model ', h('input', { name: 'model', placeholder: 'as configured' })),
      h('label', null, 'Profile ', h('input', { name: 'profile', placeholder: 'as configured' })),
      h(
        'label',
        null,
        'Mode ',
        h(
          'select',
          { name: 'mode' },
          choices.map(([mode, about]) => h('option', { value: mode }, `${mode}: ${about}`)),
        ),
      ),
      h('button', { type: 'submit', disabled: isBusy }, 'Start'),
      h('p', { role: 'alert', class: 'problem' }, problem),
    ),
  )
}

/** What was left empty follows the configuration. */
function readWishes(form: HTMLFormElement): Record<string, string> {
  const fields = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [],
  )
  return Object.fromEntries(fields)
}
