// One call of a tool, folded to one line unless it changed files. It opens to show its arguments, its result
// and the changes of its files.
import { h } from 'preact'
import type { CallBlock } from '../../../session/view/session-view.ts'
import { tellingArgument } from '../../../session/view/telling-argument.ts'
import { PageLink } from '../../page-link.ts'
import { formatDuration } from '../../text/figures.ts'
import { revealText } from '../../text/shown-text.ts'
import { readCallDiffs, type ShownDiff } from './call-facts.ts'
import { FileChange } from './file-change.ts'
import { countChanges } from './hunk-lines.ts'
import { ResultText } from './result-text.ts'

const marks = { waits: '?', running: '●', ok: '✔', failed: '✘' } as const
const words = { waits: 'waits for an answer', running: 'running', ok: 'done', failed: 'failed' } as const

export function CallRow({ block, thread }: { block: CallBlock; thread: string }) {
  const { tool, state, result, progress, child, byPerson } = block
  const diffs = readCallDiffs(block)
  const standing = state === 'ended' ? (result?.ok ? 'ok' : 'failed') : state
  return h(
    'details',
    { class: `call ${standing}`, open: diffs.length > 0 },
    h(
      'summary',
      null,
      h('span', { class: 'mark', 'aria-hidden': 'true' }, marks[standing]),
      h('span', { class: 'unseen' }, `${words[standing]}: `),
      h('span', { class: 'tool' }, revealText(byPerson ? `${tool} (you)` : tool)),
      h('code', null, revealText(tellingArgument(block))),
      h('span', { class: 'quiet figures' }, describeFigures(block, diffs)),
    ),
    progress !== undefined && h('p', { class: 'quiet' }, revealText(progress)),
    child !== undefined &&
      h('p', null, h(PageLink, { href: `/runs/${child}` }, 'the agent that it has started')),
    diffs.map((diff) => h(FileChange, { key: diff.path, change: diff })),
    diffs.length === 0
      ? h(CallTexts, { block, thread })
      : h(
          'details',
          { class: 'quiet' },
          h('summary', null, 'Arguments and result'),
          h(CallTexts, { block, thread }),
        ),
  )
}

/**
 * Shows the arguments and the result as text. If the call has a diff, `CallRow` folds this text, because it
 * repeats the change.
 */
function CallTexts({ block: { args, result }, thread }: { block: CallBlock; thread: string }) {
  return [
    h('p', { class: 'label' }, 'Arguments'),
    h('pre', { tabIndex: 0 }, revealText(JSON.stringify(args, null, 2) ?? '')),
    result && h(ResultText, { thread, text: result.text, whole: result.whole }),
  ]
}

/**
 * Returns the number of changed lines, or of returned lines if there are several, and the duration of an
 * ended call. For any other call, returns that it waits for an answer, is running, or did not end.
 */
function describeFigures({ state, result }: CallBlock, diffs: readonly ShownDiff[]): string {
  if (state === 'waits') return 'waits for an answer'
  if (result === undefined) return state === 'running' ? 'running' : 'did not end'
  const took = result.ms === undefined ? '' : formatDuration(result.ms)
  return [describeSize(result.text, diffs), took].filter(Boolean).join(' · ')
}

function describeSize(text: string, diffs: readonly ShownDiff[]): string {
  if (diffs.length === 0) {
    const lines = text.trimEnd().split('\n').length
    return lines > 1 ? `${lines} lines` : ''
  }
  const counts = diffs.map(({ hunks }) => countChanges(hunks))
  const sum = (name: 'added' | 'removed') => counts.reduce((all, one) => all + one[name], 0)
  return `+${sum('added')} -${sum('removed')}`
}
