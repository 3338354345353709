// Tree of a run's subagents. A branch is loaded when the user opens it.
import { h } from 'preact'
import { useState } from 'preact/hooks'
import type { SessionView } from '../../../session/view/session-view.ts'
import { tellingArgument } from '../../../session/view/telling-argument.ts'
import { PageLink } from '../../page-link.ts'
import { ConfirmButton } from '../../part/confirm-button.ts'
import { StateMark, type StateTone } from '../../part/state-mark.ts'
import { formatAge, formatCount, formatMoney } from '../../text/figures.ts'
import { revealText } from '../../text/shown-text.ts'
import type { SendCommand } from '../send-command.ts'
import { useRunFeed } from '../use-run-feed.ts'
import type { ShownChild } from './child-list.ts'

interface TreeProps {
  items: readonly ShownChild[]
  /** Sends a command to the run. Undefined: subagents cannot be stopped from this view. */
  send?: SendCommand | undefined
}

export function ChildTree({ items, send }: TreeProps) {
  return h(
    'ul',
    { class: 'tree' },
    items.map((child) => h(ChildBranch, { key: child.thread, child, send })),
  )
}

const listCost = (usd: number | null) => (usd === null ? [] : [formatMoney(usd)])

function ChildBranch({ child, send }: { child: ShownChild; send: SendCommand | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const { thread, title, profile, since, ended: childResult } = child
  const spent =
    childResult && [`${formatCount(childResult.tokens)} tokens`, ...listCost(childResult.usd)].join(' · ')
  const toggle = (event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)
  return h(
    'li',
    null,
    h(
      'details',
      { onToggle: toggle },
      h('summary', null, revealText(title)),
      isOpen && h(BranchContent, { thread }),
    ),
    h(StateMark, { tone: toneOf(childResult?.end), words: childResult?.end ?? 'running' }),
    h('span', { class: 'quiet' }, ` · ${revealText(profile)} · ${spent ?? formatAge(since, Date.now())} · `),
    h(PageLink, { href: `/runs/${thread}` }, 'open'),
    childResult === undefined &&
      send &&
      h(ConfirmButton, {
        label: 'Stop',
        sure: 'Stop this agent',
        isPlain: true,
        act: () => void send({ type: 'interrupt', call: thread }),
      }),
  )
}

function toneOf(end: string | undefined): StateTone {
  if (end === undefined) return 'live'
  if (end.startsWith('partial')) return 'short'
  return end === 'done' ? 'good' : end.startsWith('failed') ? 'bad' : 'quiet'
}

function BranchContent({ thread }: { thread: string }) {
  const { view, children, problem } = useRunFeed(thread)
  if (problem !== undefined) return h('p', { class: 'problem' }, problem)
  return [
    h('p', { class: 'quiet' }, h('code', null, revealText(describeNewest(view)))),
    children.length > 0 && h(ChildTree, { items: children }),
  ]
}

/** Returns the latest call of a subagent with its main argument, or a note that it has made no call yet. */
function describeNewest({ blocks, pos }: SessionView): string {
  const call = blocks.findLast((block) => block.kind === 'call')
  if (call?.kind === 'call') return `${call.tool} ${tellingArgument(call)}`
  return pos === 0 ? 'nothing yet' : 'no call yet'
}
