// One row of a list: title, state, cost and age.
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { PageLink } from '../page-link.ts'
import { formatAge, formatCount, formatMoney } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'
import { StateMark, type StateTone } from './state-mark.ts'

interface ListRowProps {
  href: string
  title: string
  tone: StateTone
  state: string
  /** Details of the row on one line, for example the profile, the model and the directory of a run. */
  about: string
  /** Number of tokens that were used; null if unknown. */
  tokens: number | null
  /** Cost in US dollars; null or undefined if unknown. It is not shown if the tokens are unknown. */
  usd?: number | null
  /** Time of the creation or of the last change, in milliseconds since 1970. */
  since: number
  children?: ComponentChildren
}

export function ListRow({ href, title, tone, state, about, tokens, usd, since, children }: ListRowProps) {
  return h(
    'li',
    { class: `row tone-${tone}` },
    h(
      'div',
      { class: 'what' },
      h(PageLink, { href }, revealText(title)),
      h('span', { class: 'quiet about' }, revealText(about)),
      children,
    ),
    h(StateMark, { tone, words: state }),
    h('span', { class: 'figure tokens' }, tokens === null ? '' : `${formatCount(tokens)} tokens`),
    h(
      'span',
      { class: 'figure cost' },
      usd === undefined || usd === null || tokens === null ? '' : formatMoney(usd),
    ),
    h('span', { class: 'figure age' }, `${formatAge(since, Date.now())} ago`),
  )
}

/** Returns a section of the list with a title; null without rows. */
export function drawListSection(id: string, title: string, rows: ComponentChild[]) {
  if (rows.length === 0) return null
  return h('section', { 'aria-labelledby': id }, h('h2', { id }, title), h('ul', { class: 'rows' }, rows))
}

/** Returns the last two directories of a path: `/home/me/shop/web` becomes `shop/web`. */
export const shortFolder = (path: string) => path.split('/').filter(Boolean).slice(-2).join('/')
