// Page of one build: its tasks and their dependencies, the queue of finished tasks to merge, its events
// and its end.
import { h } from 'preact'
import { useEffect } from 'preact/hooks'
import { countNoun } from '../../base/text/count-noun.ts'
import type { BuildBoard, BuildRecord } from '../../session/board/build-board.ts'
import { useBoardFeed } from '../connection/use-board-feed.ts'
import { useOrder } from '../connection/use-order.ts'
import type { PageScopes } from '../page-scopes.ts'
import { ConfirmButton } from '../part/confirm-button.ts'
import { FactList, type ShownFact } from '../part/fact-list.ts'
import { formatCount, formatDuration, formatMoney } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'
import { BuildTasks } from './build-tasks.ts'

export function BuildPage({ id, scopes }: { id: string; scopes: PageScopes }) {
  const path = `/v1/builds/${encodeURIComponent(id)}`
  const { board, records, stored, broken, problem } = useBoardFeed<BuildBoard, BuildRecord>(path)
  const { order, refused } = useOrder()
  const goal = board?.goal ?? id
  const state = board?.end ?? board?.status
  useEffect(() => {
    document.title = `${state ?? 'Build'} · ${revealText(goal)} · Anode`
  }, [state, goal])
  const canCancel = scopes.includes('act') && board?.status === 'running'
  return h(
    'div',
    { class: 'run-page', 'data-position': records.at(-1)?.seq ?? 0, 'data-stored': stored },
    h(
      'div',
      { class: 'talk' },
      h(
        'div',
        { class: 'head' },
        h('h1', null, revealText(goal)),
        canCancel &&
          h(ConfirmButton, {
            label: 'Cancel the build',
            sure: 'Cancel it now',
            act: () => void order(`${path}/cancel`),
          }),
        h(
          'p',
          { role: 'status', class: 'quiet' },
          broken ?? (board ? describeBuild(board) : 'Asking the server…'),
        ),
      ),
      h('p', { role: 'alert', class: 'problem' }, problem ?? refused),
      board && h(BuildTasks, { board }),
      h(BuildLog, { records }),
    ),
    board && h('aside', { 'aria-label': 'About this build' }, h(FactList, { facts: readFacts(board) })),
  )
}

/**
 * Returns the state of the build in a few words that change rarely, because a screen reader reads
 * each change aloud.
 */
function describeBuild({ status, end, detail, tasks }: BuildBoard): string {
  const merged = tasks.filter(({ state }) => state === 'merged').length
  const count = `${merged} of ${countNoun(tasks.length, 'task')} merged`
  if (status === 'stopped') return `its process is gone; anode build resume continues it, ${count}`
  const words = end ?? (tasks.length === 0 ? 'planning' : status)
  return revealText([words, ...(tasks.length > 0 ? [count] : []), ...(detail ? [detail] : [])].join(', '))
}

/**
 * Shows those of the latest records that have a text, latest first, because the list is scrolled
 * to its start.
 */
function BuildLog({ records }: { records: readonly BuildRecord[] }) {
  const lines = records.filter(({ text }) => text !== null).toReversed()
  if (lines.length === 0) return null
  const rows = lines.map(({ seq, ts, text }) =>
    h(
      'li',
      { key: seq },
      h('time', null, new Date(ts).toLocaleTimeString()),
      h('span', null, revealText(text ?? '')),
    ),
  )
  const list = { class: 'entries short', reversed: true, tabIndex: 0, 'aria-label': 'Events' }
  return h(
    'details',
    { class: 'card log', open: true },
    h('summary', null, 'What happens'),
    h('ol', list, rows),
  )
}

const proofWords: Readonly<Record<NonNullable<BuildBoard['proof']>, string>> = {
  proven: 'passed',
  unproven: 'failed',
  'not proven': 'switched off',
}

function readFacts(board: BuildBoard): ShownFact[] {
  const { branch, base, proof, queue, tasks, tokens, usd, created, updated, deadline, end } = board
  const path = end === null && tasks.length > 1 ? board.critical_path : []
  const merging = tasks.filter(({ state }) => state === 'merging').map(({ id }) => `${id} (merging)`)
  const took = (end === null ? Date.now() : updated) - created
  const allowed = deadline === null ? undefined : deadline - created
  return [
    { name: 'branch', value: branch },
    { name: 'base commit', value: base.slice(0, 10) },
    { name: 'final check', value: proof === null ? 'not run yet' : proofWords[proof] },
    { name: 'to merge', value: [...merging, ...queue].join(', ') || 'none' },
    ...(path.length > 0 ? [{ name: 'critical path', value: path.join(', ') }] : []),
    { name: 'tokens', value: formatCount(tokens) },
    { name: 'cost', value: formatMoney(usd) },
    {
      name: 'time',
      value:
        allowed === undefined
          ? formatDuration(took)
          : `${formatDuration(took)} of ${formatDuration(allowed)}`,
      share: allowed === undefined ? undefined : took / allowed,
      isLimit: true,
    },
  ]
}
