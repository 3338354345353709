// Form that starts a run, a study, a build or an experiment.
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
    h('summary', null, 'Start a run, study, build or experiment'),
    isOpen && h(StartFields, { runs, scopes }),
  )
}

type WorkKind = 'run' | 'study' | 'build' | 'experiment'

/**
 * For each kind of work, the URL path of the server that starts it, and the URL path of the page
 * that shows it.
 */
const kinds: Readonly<Record<WorkKind, { path: string; view: string }>> = {
  run: { path: '/v1/runs', view: '/runs' },
  study: { path: '/v1/studies', view: '/studies' },
  build: { path: '/v1/builds', view: '/builds' },
  experiment: { path: '/v1/research', view: '/research' },
}

function StartFields({ runs, scopes }: { runs: readonly RunSummary[]; scopes: PageScopes }) {
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const [kind, setKind] = useState<WorkKind>('run')
  const places = [...new Set(runs.map(({ workspace }) => workspace))]
  const { models, profiles } = useChoices(places[0])
  const start = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      const wishes = readWishes(event.currentTarget as HTMLFormElement)
      const body = { id: crypto.randomUUID(), ...wishes }
      const { path, view } = kinds[kind]
      const startedWork = await askServer<{ thread?: string; id?: string }>(path, { body })
      goToPage(`${view}/${startedWork.thread ?? startedWork.id}`)
    } catch (error) {
      setProblem(describeProblem(error))
      setBusy(false)
    }
  }
  const suggest = (id: string, values: readonly string[]) =>
    h(
      'datalist',
      { id },
      values.map((value) => h('option', { value })),
    )
  const choose = (event: Event) => setKind((event.target as HTMLSelectElement).value as WorkKind)
  // Builds and experiments run commands without asking, so they are offered only with the permission
  // to approve calls.
  const offered = scopes.includes('approve') ? Object.keys(kinds) : ['run', 'study']
  return h(
    'form',
    { class: 'fields', onSubmit: start },
    h('label', null, 'Kind', h('select', { onChange: choose, value: kind }, offered.map(toOption))),
    fieldsOf(kind),
    drawField('Workspace', {
      name: 'workspace',
      required: true,
      list: 'places',
      defaultValue: places[0] ?? '',
      placeholder: 'absolute path of a directory',
    }),
    drawField('Model', { name: 'model', placeholder: defaultLabel, list: 'models' }),
    kind === 'run' && [
      drawField('Profile', { name: 'profile', placeholder: defaultLabel, list: 'profiles' }),
      h('label', null, 'Mode', h('select', { name: 'mode' }, modeOptions(scopes))),
    ],
    [
      suggest('places', places),
      suggest('models', usableNames(models)),
      suggest('profiles', usableNames(profiles)),
    ],
    h('button', { type: 'submit', disabled: isBusy }, isBusy ? 'Starting…' : 'Start'),
    h('p', { role: 'alert', class: 'problem wide' }, problem),
  )
}

const defaultLabel = 'as configured'
const toOption = (value: string) => h('option', { value }, value)
const drawField = (label: string, attributes: object) => h('label', null, label, h('input', attributes))

function modeOptions(scopes: PageScopes) {
  const allowed = scopes.includes('approve') ? modes : modes.slice(0, 1)
  return allowed.map(([mode, about]) => h('option', { value: mode }, `${mode}: ${about}`))
}

function fieldsOf(kind: WorkKind) {
  if (kind === 'experiment') return experimentFields()
  if (kind === 'build') return buildFields()
  return kind === 'run' ? textField('Task', { name: 'task' }) : textField('Question', { name: 'question' })
}

const textField = (label: string, { name, required = true }: { name: string; required?: boolean }) =>
  h('label', { class: 'wide' }, label, h('textarea', { key: name, name, required, rows: 3 }))

/**
 * Returns the fields of a build: a goal or a plan file of the workspace, a check, and the number
 * of parallel tasks.
 */
const buildFields = () => [
  textField('Goal', { name: 'goal', required: false }),
  drawField('Plan file', { name: 'plan', placeholder: 'made from the goal' }),
  drawField('Check after each merge', { name: 'until', placeholder: 'npm test' }),
  drawField('Tasks at once', { name: 'workers', type: 'number', min: 1, max: 32, placeholder: '3' }),
]

/** Returns the fields of an experiment. Its benchmark command has to print a line `METRIC name=value`. */
const experimentFields = () => [
  drawField('Name', { name: 'name', required: true, placeholder: 'short name' }),
  drawField('Metric', { name: 'metric', required: true, placeholder: 'as in METRIC name=value' }),
  h('label', null, 'Better', h('select', { name: 'direction' }, ['lower', 'higher'].map(toOption))),
  drawField('Command', { name: 'command', required: true, placeholder: './bench.sh' }),
  drawField('Files that may change', { name: 'scope', placeholder: 'all, or some paths' }),
  drawField('Runs', { name: 'runs', type: 'number', min: 1, placeholder: '25' }),
]

const usableNames = (choices: readonly { name: string; unusable?: string }[]) =>
  choices.flatMap(({ name, unusable }) => (unusable === undefined ? [name] : []))

/** Returns the values of the fields that are filled. The configuration decides about empty ones. */
function readWishes(form: HTMLFormElement): Record<string, unknown> {
  const fields = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, readField(name, value.trim())] as const] : [],
  )
  return Object.fromEntries(fields)
}

function readField(name: string, value: string): unknown {
  if (name === 'scope') return value.split(/\s+/)
  if (name === 'until') return [value]
  return name === 'runs' || name === 'workers' ? Number(value) : value
}
