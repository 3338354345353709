// What may run unasked in a workspace: the rules in force, recent decisions with their reasons, suggestions.
import { type ComponentChildren, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PermissionOverview } from '../../permission-overview.ts'
import type { RunSummary } from '../../run-summary.ts'
import { usePolled } from '../connection/use-polled.ts'
import { PageLink } from '../page-link.ts'
import { formatAge } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'
import { WideTable } from '../text/wide-table.ts'

const pollMs = 15_000

export function PermissionsPage() {
  const { value, problem } = usePolled<{ runs: RunSummary[] }>('/v1/runs', pollMs)
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  useEffect(() => {
    document.title = 'Permissions · Anode'
  }, [])
  const places = [...new Set((value?.runs ?? []).map(({ workspace }) => workspace))]
  const workspace = chosen ?? places[0]
  const choose = (event: Event) => setChosen((event.target as HTMLSelectElement).value)
  const options = places.map((place) => h('option', { value: place }, revealText(place)))
  return [
    h('h1', null, 'Permissions'),
    h('p', { role: 'alert', class: 'problem' }, problem),
    value && places.length === 0 && h('p', null, 'There is no workspace with runs yet.'),
    places.length > 0 &&
      h('p', null, h('label', null, 'Workspace ', h('select', { onChange: choose }, options))),
    workspace !== undefined && h(Overview, { key: workspace, workspace }),
  ]
}

function Overview({ workspace }: { workspace: string }) {
  const path = `/v1/permissions?workspace=${encodeURIComponent(workspace)}`
  const { value, problem } = usePolled<PermissionOverview>(path, pollMs)
  if (!value) return h('p', { role: 'alert', class: 'problem' }, problem)
  const { preset, rules, decisions, suggestions } = value
  return [
    h('h2', null, preset === null ? 'Rules' : `Rules, preset ${preset}`),
    rules.length === 0
      ? h('p', null, 'No rules; the table of levels decides.')
      : h(FactTable, {
          label: 'Rules',
          heads: ['action', 'tool', 'from', 'when'],
          rows: rules.map(({ answer, action, tool, from, when }) => [
            ...[action, tool, answer === '' ? from : `answer ${answer}`, when],
          ]),
        }),
    h('h2', null, 'Recent decisions'),
    decisions.length === 0
      ? h('p', null, 'Nothing was asked yet.')
      : h(FactTable, {
          label: 'Recent decisions',
          heads: ['when', 'tool', 'decided', 'by', 'because'],
          rows: decisions.map(({ ts, thread, tool, action, why, reasons }) => [
            h(PageLink, { href: `/runs/${thread}` }, `${formatAge(ts, Date.now())} ago`),
            ...[tool, action, why, reasons.join('; ')],
          ]),
        }),
    suggestions.length > 0 && [
      h('h2', null, 'Suggestions'),
      h('p', { class: 'quiet' }, 'To take one over, copy it into permissions of your configuration.'),
      h(FactTable, {
        label: 'Suggestions',
        heads: ['rule', 'lets through', 'approved', 'not approved'],
        rows: suggestions.map(({ rule, covers, approved, denied }) => [
          rule,
          covers,
          `${approved}`,
          `${denied}`,
        ]),
      }),
    ],
  ]
}

interface FactTableProps {
  label: string
  heads: readonly string[]
  /** Text is revealed here. */
  rows: readonly (readonly ComponentChildren[])[]
}

function FactTable({ label, heads, rows }: FactTableProps) {
  const cell = (content: ComponentChildren) =>
    h('td', null, typeof content === 'string' ? revealText(content) : content)
  const body = rows.map((row) => h('tr', null, row.map(cell)))
  return h(WideTable, { label, heads, rows: body })
}
