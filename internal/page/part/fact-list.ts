// List of names and values next to a view. A value that is a share is also shown as a bar.
import { type ComponentChildren, h } from 'preact'
import { revealText } from '../text/shown-text.ts'

export interface ShownFact {
  name: string
  /** Value; invisible characters of a string are made visible. */
  value: ComponentChildren
  /** Share from 0 to 1, also shown as a bar. Default: no bar. */
  share?: number | undefined
  /** True if the share 1 is a limit. The bar is then highlighted above 85 %. */
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

/** Shows a share as a bar; the figures next to it contain the same value. */
export function ShareBar({ share, isLimit = false }: { share: number; isLimit?: boolean | undefined }) {
  const width = 100 * Math.min(1, Math.max(0, share))
  return h(
    'svg',
    { class: 'share', viewBox: '0 0 100 3', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    h('rect', { width: 100, height: 3, class: 'track' }),
    h('rect', { width, height: 3, class: isLimit && share > 0.85 ? 'part high' : 'part' }),
  )
}
