// Rules that would have avoided approvals, in the form of a configuration that a user can copy.

import { h } from 'preact'
import { useState } from 'preact/hooks'
import { countNoun } from '../../base/text/count-noun.ts'
import type { PermissionOverview } from '../../server/permission-overview.ts'
import { revealText } from '../text/shown-text.ts'

type SuggestedRule = PermissionOverview['suggestions'][number]

export function SuggestedRules({ suggestions }: { suggestions: readonly SuggestedRule[] }) {
  return [
    h('h2', null, 'Suggestions'),
    h('p', { class: 'quiet' }, 'To take one over, copy it into permissions of your configuration.'),
    h(
      'ul',
      { class: 'suggestions' },
      suggestions.map((suggestion) => h(Suggestion, { key: suggestion.rule, suggestion })),
    ),
  ]
}

function Suggestion({ suggestion }: { suggestion: SuggestedRule }) {
  const { rule, covers, approved, denied } = suggestion
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(rule).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  const refused = denied === 0 ? 'never' : countNoun(denied, 'time')
  const counts = `approved ${countNoun(approved, 'time')}, ${refused} denied`
  return h(
    'li',
    { class: 'card' },
    h('pre', { tabIndex: 0 }, revealText(rule)),
    h('p', null, revealText(covers)),
    h(
      'p',
      { class: 'quiet facts-line' },
      counts,
      h('button', { type: 'button', class: 'plain', onClick: copy }, isCopied ? 'Copied' : 'Copy the rule'),
    ),
  )
}
