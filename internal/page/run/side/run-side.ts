// Panels next to a run: its settings, context, cost, to-do list and subagents.
import { h } from 'preact'
import type { ChosenSettings, SessionUsage } from '../../../session/snapshot.ts'
import type { SessionView } from '../../../session/view/session-view.ts'
import { FactList, type ShownFact } from '../../part/fact-list.ts'
import { shortModel } from '../../runs/run-names.ts'
import { formatCount, formatMoney } from '../../text/figures.ts'
import { revealText } from '../../text/shown-text.ts'
import { mayChangeFiles } from '../call/call-facts.ts'
import type { SendCommand } from '../send-command.ts'
import type { ShownChild } from './child-list.ts'
import { ChildTree } from './child-tree.ts'
import { RunSettings } from './run-settings.ts'
import { UndoPanel } from './undo-panel.ts'

interface RunSideProps {
  view: SessionView
  items: readonly ShownChild[]
  send: SendCommand
  canAct: boolean
  canApprove: boolean
}

export function RunSide({ view, items, send, canAct, canApprove }: RunSideProps) {
  const { todo, run } = view
  return h(
    'aside',
    { 'aria-label': 'About this run' },
    h(FactList, { facts: readFacts(view) }),
    canAct && h(RunSettings, { view, send, canApprove }),
    todo.length > 0 && h(TodoList, { todo }),
    items.length > 0 && [
      h('h2', null, `Agents, ${items.length}`),
      h(ChildTree, { items, send: canAct ? send : undefined }),
    ],
    canAct && run === undefined && hasChanges(view) && h(UndoPanel, { send }),
  )
}

/**
 * Returns true if a run of this conversation may have changed files. Also true if the view has dropped
 * blocks, because their calls are not known.
 */
const hasChanges = ({ blocks, dropped }: SessionView) =>
  dropped > 0 || blocks.some((block) => block.kind === 'call' && mayChangeFiles(block))

function readFacts(view: ChosenSettings & SessionUsage): ShownFact[] {
  const { profile, model, mode, effort, context, spending } = view
  const { input, output, cached, usd } = spending
  const { tokens, window } = context
  const usedShare = window === undefined ? undefined : tokens / window
  const share =
    usedShare === undefined ? '' : ` of ${formatCount(window ?? 0)}, ${Math.round(100 * usedShare)} %`
  const fromCache = input === 0 ? undefined : cached / input
  return [
    { name: 'profile', value: profile },
    { name: 'model', value: h('span', { title: model.id }, revealText(shortModel(model.id))) },
    { name: 'mode', value: mode },
    ...(effort === undefined ? [] : [{ name: 'effort', value: effort }]),
    { name: 'context', value: `${formatCount(tokens)}${share}`, share: usedShare, isLimit: true },
    { name: 'tokens', value: `${formatCount(input)} in, ${formatCount(output)} out` },
    ...(fromCache === undefined ? [] : [{ name: 'from cache', value: `${Math.round(100 * fromCache)} %` }]),
    ...(usd === null ? [] : [{ name: 'cost', value: formatMoney(usd) }]),
  ]
}

const todoMarks: Readonly<Record<string, string>> = { completed: '✔', done: '✔', in_progress: '●' }

function TodoList({ todo }: { todo: SessionView['todo'] }) {
  const done = todo.filter(({ status }) => status === 'completed' || status === 'done').length
  const items = todo.map(({ content, status }) =>
    h(
      'li',
      { class: status },
      h('span', { class: 'mark', 'aria-hidden': 'true' }, todoMarks[status] ?? '○'),
      h('span', { class: 'unseen' }, `${status.replaceAll('_', ' ')}: `),
      h('span', null, revealText(content)),
    ),
  )
  return [h('h2', null, `To do, ${done} of ${todo.length}`), h('ul', { class: 'todo' }, items)]
}
