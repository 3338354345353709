// Page of a workspace's permissions: active rules, recent decisions with their reasons, and suggestions.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PermissionOverview } from '../../server/permission-overview.ts'
import type { RunSummary } from '../../server/run-summary.ts'
import { usePolled } from '../connection/use-polled.ts'
import { revealText } from '../text/shown-text.ts'
import { WideTable } from '../text/wide-table.ts'
import { DecisionList } from './decision-list.ts'
import { SuggestedRules } from './suggested-rules.ts'

const pollMs = 15_000

interface PermissionsPageProps {
  runs: readonly RunSummary[] | undefined
  problem: string | undefined
}

export function PermissionsPage({ runs, problem }: PermissionsPageProps) {
  const [chosenWorkspace, setChosen] = useState<string | undefined>(undefined)
  useEffect(() => {
    document.title = 'Permissions · Anode'
  }, [])
  const places = [...new Set((runs ?? []).map(({ workspace }) => workspace))]
  const workspace = chosenWorkspace ?? places[0]
  const choose = (event: Event) => setChosen((event.target as HTMLSelectElement).value)
  const options = places.map((place) => h('option', { value: place }, revealText(place)))
  return [
    h(
      'div',
      { class: 'head' },
      h('h1', null, 'Permissions'),
      places.length > 0 &&
        h(
          'div',
          { class: 'tools' },
          h('label', null, 'Workspace ', h('select', { onChange: choose, value: workspace }, options)),
        ),
    ),
    h('p', { role: 'alert', class: 'problem' }, problem),
    runs && places.length === 0 && h('p', { class: 'empty' }, 'No workspace has runs yet.'),
    workspace !== undefined && h(Overview, { key: workspace, workspace }),
  ]
}

function Overview({ workspace }: { workspace: string }) {
  const path = `/v1/permissions?workspace=${encodeURIComponent(workspace)}`
  const { value, problem } = usePolled<PermissionOverview>(path, pollMs)
  if (!value) return h('p', { role: 'alert', class: 'problem' }, problem)
  const { preset, rules, decisions, suggestions } = value
  return [
    suggestions.length > 0 && h(SuggestedRules, { suggestions }),
    h('h2', null, preset === null ? `Rules in force, ${rules.length}` : `Rules in force, preset ${preset}`),
    rules.length === 0
      ? h('p', { class: 'empty' }, 'No rules; the mode and the level of a tool decide.')
      : h(RuleTable, { rules }),
    h('h2', null, 'Recent decisions'),
    decisions.length === 0
      ? h('p', { class: 'empty' }, 'Nothing was asked yet.')
      : h(DecisionList, { decisions }),
  ]
}

function RuleTable({ rules }: { rules: PermissionOverview['rules'] }) {
  const rows = rules.map(({ answer, action, tool, from, when }) => {
    const cells = [tool, when, answer === '' ? from : `answer ${answer}`]
    const first = h('td', null, h('span', { class: `action ${action}` }, revealText(action)))
    return h(
      'tr',
      null,
      first,
      cells.map((cell) => h('td', null, revealText(cell))),
    )
  })
  return h(WideTable, { label: 'Rules', heads: ['action', 'tool', 'when', 'from'], rows })
}
