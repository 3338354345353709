// What a call made of one file, line by line: signs tell what colours tell.
import { h } from 'preact'
import { revealText } from '../text/shown-text.ts'
import type { ShownDiff } from './call-facts.ts'

const kinds: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' }

/** More lines are in the file. */
const maxLines = 2_000

export function FileChange({ change: { path, what, hunks } }: { change: ShownDiff }) {
  const lines = hunks.replace(/\n$/, '').split('\n')
  return h(
    'figure',
    { class: 'diff' },
    h('figcaption', null, h('code', null, revealText(path)), ` ${revealText(what)}`),
    hunks !== '' &&
      h(
        'pre',
        { tabIndex: 0, 'aria-label': 'Changed lines' },
        lines
          .slice(0, maxLines)
          .map((line) => h('span', { class: kinds[line[0] ?? ''] ?? '' }, `${revealText(line)}\n`)),
        lines.length > maxLines && `${lines.length - maxLines} more lines`,
      ),
  )
}
