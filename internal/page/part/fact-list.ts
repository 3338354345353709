// Names and values beside a view; a share of something is drawn as a bar as well.
import { type ComponentChildren, h } from 'preact'
import { revealText } from '../text/shown-text.ts'

export interface ShownFact {
  name: string
  /** Text is revealed here. */
  value: ComponentChildren
  /** 0 to 1. */
  share?: number | undefined
  /** All of it is a limit: that is shown before it is reached. */
  isLimit?: boolean
}

export function FactList({ facts }: { facts: readonly ShownFact[] }) {
  return h(
    'dl',
    { class: 'facts' },
    facts.flatMap(({ name, value, share, isLimit }) => [
      h('dt', null, name),
      h(
        'dd',
        null,
        typeof value === 'string' ? revealText(value) : value,
        share !== undefined && h(ShareBar, { share, isLimit }),
      ),
    ]),
  )
}

/** What it shows stands in figures beside it. */
export function ShareBar({ share, isLimit = false }: { share: number; isLimit?: boolean | undefined }) {
  const width = 100 * Math.min(1, Math.max(0, share))
  return h(
    'svg',
    { class: 'share', viewBox: '0 0 100 3', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    h('rect', { width: 100, height: 3, class: 'track' }),
    h('rect', { width, height: 3, class: isLimit && share > 0.85 ? 'part high' : 'part' }),
  )
}
