// Form that limits the lists: words, kind, state, workspace and model.
import { h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isTypedInto } from '../key-target.ts'
import { shortFolder } from '../part/list-row.ts'
import { revealText } from '../text/shown-text.ts'
import type { ListedRun } from './listed-run.ts'
import { listKinds, listStates, type RunFilter } from './run-filter.ts'
import { shortModel } from './run-names.ts'

interface FilterProps {
  filter: RunFilter
  setFilter(filter: RunFilter): void
  runs: readonly ListedRun[]
}

export function FilterForm({ filter, setFilter, runs }: FilterProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTypedInto(event)) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const search = (event: Event) => setFilter({ ...filter, words: (event.target as HTMLInputElement).value })
  const choice = (label: string, name: keyof RunFilter, values: readonly (readonly [string, string])[]) => {
    const choose = (event: Event) =>
      setFilter({ ...filter, [name]: (event.target as HTMLSelectElement).value })
    const options = values.map(([value, text]) => h('option', { value }, revealText(text)))
    return h('label', null, `${label} `, h('select', { onChange: choose, value: filter[name] }, options))
  }
  const named = (values: readonly string[], name: (value: string) => string) => {
    const all = [...new Set(values)].filter(Boolean).sort()
    return [['', 'all'] as const, ...all.map((value) => [value, name(value)] as const)]
  }
  const plain = (values: readonly string[]) => values.map((value) => [value, value] as const)
  const places = named(
    runs.map(({ workspace }) => workspace),
    shortFolder,
  )
  const models = named(
    runs.map(({ model }) => model),
    shortModel,
  )
  const input = {
    ref: field,
    type: 'search',
    value: filter.words,
    onInput: search,
    'aria-keyshortcuts': '/',
    placeholder: 'title, words of a conversation; press /',
  }
  return h(
    'form',
    { class: 'tools', role: 'search', onSubmit: (event: Event) => event.preventDefault() },
    h('label', { class: 'grow' }, 'Search ', h('input', input)),
    choice('Show', 'kind', plain(listKinds)),
    choice('State', 'state', listStates.map(nameState)),
    places.length > 2 && choice('Workspace', 'workspace', places),
    models.length > 2 && choice('Model', 'model', models),
  )
}

/** Returns a state with the text that the form shows for it. */
const nameState = (state: (typeof listStates)[number]) =>
  [state, state === 'broken' ? 'process died' : state] as const
