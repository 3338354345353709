// Mark of a state: a colored dot and a text.
import { h } from 'preact'
import { revealText } from '../text/shown-text.ts'

export type StateTone = 'quiet' | 'good' | 'short' | 'wait' | 'bad' | 'live'

export function StateMark({ tone, words }: { tone: StateTone; words: string }) {
  return h(
    'span',
    { class: `state tone-${tone}` },
    h('span', { class: 'dot', 'aria-hidden': 'true' }),
    h('span', null, revealText(words)),
  )
}
