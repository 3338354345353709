// Form that starts a run.
import { h } from 'preact'
import { useState } from 'preact/hooks'
import type { RunSummary } from '../../server/run-summary.ts'
import { askServer, describeProblem } from '../connection/ask-server.ts'
import { goToPage } from '../page-link.ts'
import type { PageScopes } from '../page-scopes.ts'
import { useChoices } from '../run/side/use-choices.ts'

const modes = [
  ['ask', 'ask before each change'],
  ['edits', 'edit files without approval'],
  ['auto', 'also build and test'],
  ['unrestricted', 'everything without approval'],
] as const

export function StartForm({ runs, scopes }: { runs: readonly RunSummary[]; scopes: PageScopes }) {
  const [isOpen, setOpen] = useState(false)
  return h(
    'details',
    {
      class: 'card start',
      onToggle: (event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open),
    },
    h('summary', null, 'Start a run'),
    isOpen && h(StartFields, { runs, scopes }),
  )
}

function StartFields({ runs, scopes }: { runs: readonly RunSummary[]; scopes: PageScopes }) {
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const places = [...new Set(runs.map(({ workspace }) => workspace))]
  const { models, profiles } = useChoices(places[0])
  const start = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      const wishes = readWishes(event.currentTarget as HTMLFormElement)
      const body = { id: crypto.randomUUID(), ...wishes }
      const { thread } = await askServer<{ thread: string }>('/v1/runs', { body })
      goToPage(`/runs/${thread}`)
    } catch (error) {
      setProblem(describeProblem(error))
      setBusy(false)
    }
  }
  const allowed = scopes.includes('approve') ? modes : modes.slice(0, 1)
  const options = allowed.map(([mode, about]) => h('option', { value: mode }, `${mode}: ${about}`))
  const suggest = (id: string, values: readonly string[]) =>
    h(
      'datalist',
      { id },
      values.map((value) => h('option', { value })),
    )
  const field = (label: string, attributes: object) => h('label', null, label, h('input', attributes))
  const own = 'as configured'
  return h(
    'form',
    { class: 'fields', onSubmit: start },
    h(
      'label',
      { class: 'wide' },
      'Task',
      h('textarea', { name: 'task', required: true, rows: 3, autofocus: true }),
    ),
    field('Workspace', {
      name: 'workspace',
      required: true,
      list: 'places',
      defaultValue: places[0] ?? '',
      placeholder: 'absolute path of a folder',
    }),
    field('Model', { name: 'model', placeholder: own, list: 'models' }),
    field('Profile', { name: 'profile', placeholder: own, list: 'profiles' }),
    h('label', null, 'Mode', h('select', { name: 'mode' }, options)),
    [
      suggest('places', places),
      suggest('models', usableNames(models)),
      suggest('profiles', usableNames(profiles)),
    ],
    h('button', { type: 'submit', disabled: isBusy }, 'Start'),
    h('p', { role: 'alert', class: 'problem wide' }, problem),
  )
}

const usableNames = (choices: readonly { name: string; unusable?: string }[]) =>
  choices.flatMap(({ name, unusable }) => (unusable === undefined ? [name] : []))

/** Returns the filled fields; empty ones follow the configuration. */
function readWishes(form: HTMLFormElement): Record<string, string> {
  const fields = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [],
  )
  return Object.fromEntries(fields)
}
