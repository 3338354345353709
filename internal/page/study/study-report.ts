// Component that shows the report of a finished study.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { describeProblem, requestServer } from '../connection/ask-server.ts'
import { CitedSources, readCitedClaims, splitReport, tidyReport } from '../text/citation.ts'
import { MarkdownText } from '../text/markdown-text.ts'

/**
 * Shows the report of study `id`. A new `version` loads it again; `version` is undefined before
 * the report exists.
 */
export function StudyReport({ id, version }: { id: string; version: string | undefined }) {
  const [text, setText] = useState<string | undefined>(undefined)
  useEffect(() => {
    if (version === undefined) return
    const stop = new AbortController()
    const path = `/v1/studies/${encodeURIComponent(id)}/report`
    requestServer(path, { signal: stop.signal })
      .then((response) => response.text())
      .then(setText, (error) => stop.signal.aborted || setText(describeProblem(error)))
    return () => stop.abort()
  }, [id, version])
  if (text === undefined || version === undefined) return null
  // The page already shows the question above the report, so it is removed here.
  const { result, about } = splitReport(tidyReport(text))
  const claims = readCitedClaims(text)
  const numbers = new Set([...claims].flatMap(([number, ids]) => (ids.length > 0 ? [number] : [])))
  const open = (number: number) => showClaims(claims.get(number) ?? [])
  return h('details', { class: 'card report', open: true }, [
    h('summary', null, 'Report'),
    h(CitedSources.Provider, { value: { numbers, open } }, h(MarkdownText, { text: result })),
    about !== '' &&
      h('details', { class: 'about' }, [
        h('summary', null, 'About this study'),
        h(MarkdownText, { text: about }),
      ]),
  ])
}

/** Opens the source lines of the claims and scrolls to the first one. */
function showClaims(ids: readonly string[]): void {
  const cards = ids.map((id) => document.getElementById(`claim-${id}`)).filter((card) => card !== null)
  for (const card of cards) card.querySelector('details')?.setAttribute('open', '')
  const [first] = cards
  first?.scrollIntoView({ block: 'center' })
  first?.querySelector('summary')?.focus({ preventScroll: true })
}
