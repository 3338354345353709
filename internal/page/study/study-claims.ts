// List of a study's claims with their quotes. Below each quote, the user can open the lines of its source.
import { h } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { languageOfPath } from '../../base/code/code-language.ts'
import type { BoardClaim, EvidenceLines, StudyBoard } from '../../session/board/study-board.ts'
import { describeDoubt } from '../../session/board/study-words.ts'
import { askServer, describeProblem } from '../connection/ask-server.ts'
import { StateMark } from '../part/state-mark.ts'
import { drawRuns, useCodeReader } from '../text/code-text.ts'
import { MarkdownText } from '../text/markdown-text.ts'
import { ProseText, RstText } from '../text/prose.ts'
import { revealText } from '../text/shown-text.ts'

export function StudyClaims({ board: { id, claims } }: { board: StudyBoard }) {
  if (claims.length === 0) return null
  return h(
    'section',
    { 'aria-labelledby': 'claims' },
    h('h2', { id: 'claims' }, `Claims, ${claims.length}`),
    claims.map((claim) => h(ClaimCard, { key: claim.id, study: id, claim })),
  )
}

function ClaimCard({ study, claim }: { study: string; claim: BoardClaim }) {
  const { id, task, text, quote, place, state, reason } = claim
  const [standing, tone] = {
    verified: ['quote found', 'good'] as const,
    quoted: ['quote found, in other words', 'good'] as const,
    not_found: [`not verified: ${describeDoubt(reason)}`, 'bad'] as const,
    unchecked: ['not checked yet', 'quiet'] as const,
  }[state ?? 'unchecked']
  return h(
    'article',
    { class: `claim tone-${tone}`, id: `claim-${id}` },
    h('p', null, h('b', null, id), isSameText(text, quote) ? null : ` ${revealText(text)}`),
    h('blockquote', null, h(textViewOf(place), { text: quote })),
    h(
      'p',
      { class: 'quiet facts-line' },
      h(StateMark, { tone, words: standing }),
      revealText([task, place ?? ''].filter(Boolean).join(' · ')),
    ),
    h(SourceLines, { study, claim }),
  )
}

/** Returns true if two texts differ only in spaces, as the claim and the quote of an extracted passage. */
const isSameText = (a: string, b: string) => a.replace(/\s+/g, '') === b.replace(/\s+/g, '')

/** Returns the component that shows a quote from a position such as `doc/lock.md:1-17`. */
function textViewOf(place: string | null) {
  const [, ending = ''] = /\.(\w+):[\d-]+$/.exec(place?.toLowerCase() ?? '') ?? []
  if (['md', 'mdx', 'markdown'].includes(ending)) return MarkdownText
  return ['rst', 'rest'].includes(ending) ? RstText : ProseText
}

function SourceLines({ study, claim: { evidence, quote } }: { study: string; claim: BoardClaim }) {
  const [evidenceLines, setShown] = useState<EvidenceLines | string | undefined>(undefined)
  const open = (event: Event) => {
    if (!(event.currentTarget as HTMLDetailsElement).open || evidenceLines !== undefined) return
    const path = `/v1/studies/${encodeURIComponent(study)}/evidence/${encodeURIComponent(evidence)}`
    askServer<EvidenceLines>(path).then(setShown, (error) => setShown(describeProblem(error)))
  }
  return h(
    'details',
    { onToggle: open },
    h('summary', null, 'Source lines'),
    typeof evidenceLines === 'string' && h('p', { class: 'problem' }, evidenceLines),
    typeof evidenceLines === 'object' && [
      h('p', null, h('code', null, revealText(`${evidenceLines.source} ${evidenceLines.locator}`))),
      h(QuotedLines, { evidence: evidenceLines, quote }),
    ],
  )
}

/** Shows the lines with the colors of their file's language. Quoted lines are marked. */
function QuotedLines({ evidence: { source, lines }, quote }: { evidence: EvidenceLines; quote: string }) {
  const read = useCodeReader(languageOfPath(source))
  const codes = useMemo(() => read(lines.map(({ text }) => revealText(text)).join('\n')), [read, lines])
  const quoted = new Set(quote.split('\n').map((line) => line.trim()))
  return h(
    'pre',
    { tabIndex: 0, class: 'lines' },
    lines.map(({ n, text }, i) => {
      const isQuoted = text.trim() !== '' && (quoted.has(text.trim()) || text.includes(quote))
      const number = n === null ? '' : `${n}`.padStart(5)
      const runs = codes?.[i]
      return h(isQuoted ? 'mark' : 'span', null, [
        `${number}  `,
        runs ? drawRuns(runs) : revealText(text),
        '\n',
      ])
    }),
  )
}
