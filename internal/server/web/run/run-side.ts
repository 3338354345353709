// What surrounds a run: settings, context, cost, its list of things to do, its children.
import { h } from 'preact'
import type { SessionView } from '../../../session/view/session-view.ts'
import { PageLink } from '../page-link.ts'
import { formatAge, formatCount, formatMoney } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'

export function RunSide({ view }: { view: SessionView }) {
  const { profile, model, mode, context, spending, todo, children } = view
  const share =
    context.window === undefined ? '' : ` (${Math.round((100 * context.tokens) / context.window)} %)`
  const facts: [string, string][] = [
    ['profile', profile],
    ['model', model.id],
    ['mode', mode],
    ['context', `${formatCount(context.tokens)}${share}`],
    ['tokens', `${formatCount(spending.input)} in, ${formatCount(spending.output)} out`],
    ['cost', formatMoney(spending.usd)],
  ]
  const done = todo.filter(({ status }) => status === 'completed' || status === 'done').length
  return h(
    'aside',
    { 'aria-label': 'About this run' },
    h(
      'dl',
      null,
      facts.flatMap(([name, value]) => [h('dt', null, name), h('dd', null, revealText(value))]),
    ),
    todo.length > 0 && [
      h('h2', null, `To do, ${done} of ${todo.length}`),
      h(
        'ul',
        { class: 'todo' },
        todo.map(({ content, status }) =>
          h(
            'li',
            { class: status },
            h('span', { class: 'who' }, status.replaceAll('_', ' ')),
            ' ',
            revealText(content),
          ),
        ),
      ),
    ],
    children.length > 0 && [
      h('h2', null, 'Agents at work'),
      h(
        'ul',
        null,
        children.map(({ thread, title, since, profile: its }) =>
          h(
            'li',
            { key: thread },
            h(PageLink, { href: `/runs/${thread}` }, revealText(title)),
            h('span', { class: 'quiet' }, ` ${revealText(its ?? '')} ${formatAge(since, Date.now())}`),
          ),
        ),
      ),
    ],
  )
}
