// Component that shows the result of a call: the text in the event, or the complete text, which the server
// returns in parts.
import { h } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { askServer, describeProblem } from '../../connection/ask-server.ts'
import { revealText } from '../../text/shown-text.ts'

/**
 * Largest number of characters that one request for the text returns. A browser lays out this many
 * without a pause.
 */
const partChars = 200_000

interface ResultTextProps {
  thread: string
  text: string
  /** Id under which the server has the complete text, if `text` is cut. */
  whole?: string | undefined
}

export function ResultText({ thread, text, whole }: ResultTextProps) {
  const { shown: content, total, problem, isBusy, readMore } = useWholeText(thread, whole)
  const field = useRef<HTMLPreElement>(null)
  const isAll = content !== undefined && content.length >= total
  // The button that had the focus has disappeared, so the text gets the focus.
  useEffect(() => {
    if (isAll) field.current?.focus({ preventScroll: true })
  }, [isAll])
  const revealed = useMemo(() => revealText(content ?? text), [content, text])
  const figures = `${(content?.length ?? 0).toLocaleString('en')} of ${total.toLocaleString('en')} characters`
  return [
    h('p', { class: 'label' }, content === undefined ? 'Result' : 'Whole result'),
    h('pre', { tabIndex: 0, ref: field }, revealed),
    whole !== undefined && [
      h('p', { role: 'status', class: 'quiet' }, content === undefined ? '' : figures),
      !isAll &&
        h(
          'button',
          { type: 'button', class: 'plain', 'aria-disabled': isBusy, onClick: readMore },
          content === undefined ? 'Show the whole result' : 'Show more',
        ),
      h('p', { role: 'alert', class: 'problem' }, problem),
    ],
  ]
}

interface WholeText {
  /** The part of the complete text that was loaded; undefined before the first request. */
  shown: string | undefined
  total: number
  problem: string | undefined
  isBusy: boolean
  readMore(): void
}

function useWholeText(thread: string, hash: string | undefined): WholeText {
  const [read, setRead] = useState<{ text: string; total: number } | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const readPart = async () => {
    const offset = read?.text.length ?? 0
    const path = `/v1/runs/${encodeURIComponent(thread)}/blobs/${hash}?offset=${offset}&limit=${partChars}`
    const part = await askServer<{ text: string; total: number }>(path)
    setRead({ text: (read?.text ?? '') + part.text, total: part.total })
  }
  const readMore = () => {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    readPart()
      .catch((error: unknown) => setProblem(describeProblem(error)))
      .finally(() => setBusy(false))
  }
  return { shown: read?.text, total: read?.total ?? 0, problem, isBusy, readMore }
}
