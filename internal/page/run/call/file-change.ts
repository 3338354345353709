// What a call made of one file, line by line with numbers: signs tell what colours tell.

import { h } from 'preact'
import { countNoun } from '../../../base/text/count-noun.ts'
import { revealText } from '../../text/shown-text.ts'
import { type NumberedLine, numberHunks } from './hunk-lines.ts'

/** More lines are in the file. */
const maxLines = 2_000

/** `hunks`: of a unified diff, or lines that were all added. */
export function FileChange({ change }: { change: { path: string; what: string; hunks: string } }) {
  const { path, what, hunks } = change
  const lines = numberHunks(hunks)
  return h(
    'figure',
    { class: 'diff' },
    h('figcaption', null, h('code', null, revealText(path)), h('span', { class: 'quiet' }, revealText(what))),
    hunks !== '' &&
      h(
        'pre',
        { tabIndex: 0 },
        lines.slice(0, maxLines).map(drawLine),
        lines.length > maxLines && countNoun(lines.length - maxLines, 'more line'),
      ),
  )
}

function drawLine({ kind, number, text }: NumberedLine) {
  const sign = kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '
  const figures = kind === 'hunk' ? '' : `${number ?? ''}`
  return h(
    'span',
    { class: kind },
    h('span', { class: 'number', 'aria-hidden': 'true' }, figures),
    kind === 'hunk' ? revealText(text) : `${sign} ${revealText(text)}`,
    '\n',
  )
}
