// One call of a tool: folded to a line, with its arguments, its result and what it made of files inside.
import { h } from 'preact'
import type { CallBlock } from '../../../session/view/session-view.ts'
import { PageLink } from '../page-link.ts'
import { formatDuration } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'
import { readCallDiffs, tellingArgument } from './call-facts.ts'
import { FileChange } from './file-change.ts'

const marks = { waits: '…', running: '●', ok: '✔', failed: '✘' } as const

export function CallRow({ block }: { block: CallBlock }) {
  const { tool, args, state, result, progress, child, byPerson } = block
  const diffs = readCallDiffs(block)
  const standing = state === 'ended' ? (result === undefined || result.ok ? 'ok' : 'failed') : state
  const words = { waits: 'waits for an answer', running: 'running', ok: 'done', failed: 'failed' }[standing]
  return h(
    'details',
    { class: `call ${standing}`, open: diffs.length > 0 },
    h(
      'summary',
      null,
      h('span', { class: 'mark', 'aria-hidden': 'true' }, marks[standing]),
      h('span', { class: 'tool' }, revealText(byPerson ? `${tool} (you)` : tool)),
      ' ',
      h('code', null, revealText(tellingArgument(args))),
      h(
        'span',
        { class: 'quiet' },
        ` ${words}${result?.ms === undefined ? '' : ` · ${formatDuration(result.ms)}`}`,
      ),
    ),
    progress !== undefined && h('p', { class: 'quiet' }, revealText(progress)),
    child !== undefined &&
      h('p', null, h(PageLink, { href: `/runs/${child}` }, 'the agent that it has started')),
    diffs.map((diff) => h(FileChange, { key: diff.path, change: diff })),
    h('h3', null, 'Arguments'),
    h('pre', { tabIndex: 0 }, revealText(JSON.stringify(args, null, 2) ?? '')),
    result && [h('h3', null, 'Result'), h('pre', { tabIndex: 0 }, revealText(result.text))],
  )
}
