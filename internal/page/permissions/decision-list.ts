// List of decided calls, latest first. Each opens to show the chain of reasons for its decision.
import { h } from 'preact'
import type { OverviewDecision } from '../../server/permission-overview.ts'
import { PageLink } from '../page-link.ts'
import { formatAge } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'

export function DecisionList({ decisions }: { decisions: readonly OverviewDecision[] }) {
  return h(
    'ul',
    { class: 'decisions' },
    decisions.map((decision) => h(DecisionRow, { key: `${decision.ts} ${decision.about}`, decision })),
  )
}

function DecisionRow({ decision }: { decision: OverviewDecision }) {
  const { ts, tool, about, action, why } = decision
  return h(
    'li',
    null,
    h(
      'details',
      null,
      h(
        'summary',
        null,
        h('span', { class: `action ${action}` }, revealText(action)),
        h('span', { class: 'tool' }, revealText(tool)),
        h('code', null, revealText(about)),
        h('span', { class: 'quiet reason' }, revealText(why.replace(/\.$/, ''))),
        h('span', { class: 'quiet figures' }, `${formatAge(ts, Date.now())} ago`),
      ),
      h(ReasonChain, { decision }),
    ),
  )
}

function ReasonChain({ decision }: { decision: OverviewDecision }) {
  const { thread, child, reasons, parts, action, why, always } = decision
  const part = ({ name, action: partAction, why: because }: OverviewDecision['parts'][number]) =>
    h(
      'li',
      null,
      h('span', { class: `action ${partAction}` }, partAction),
      h('code', null, revealText(name)),
      ` ${revealText(because)}`,
    )
  return h(
    'ol',
    { class: 'chain' },
    child !== null && h('li', null, revealText(`Asked by the agent "${child}"`)),
    reasons.length === 0
      ? h('li', null, 'It had not to be asked')
      : reasons.map((reason) => h('li', null, revealText(reason))),
    parts.length > 0 && h('li', null, 'By part of the line:', h('ul', null, parts.map(part))),
    h('li', null, revealText(`${action}: ${why}`), always && '; the rule that was shown is kept'),
    h('li', null, h(PageLink, { href: `/runs/${thread}` }, 'The run')),
  )
}
