// A notification of the browser when a run begins to wait, for who has asked for it.
import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RunSummary } from '../../run-summary.ts'
import { revealText } from '../text/shown-text.ts'

export function NoticeSwitch({ runs }: { runs: readonly RunSummary[] }) {
  const hasNotices = typeof Notification === 'function'
  const [state, setState] = useState(hasNotices ? Notification.permission : 'denied')
  const known = useRef(new Set<string>())
  useEffect(() => {
    const waiting = runs.filter((run) => run.state === 'waiting')
    const fresh = waiting.filter(({ thread }) => !known.current.has(thread))
    known.current = new Set(waiting.map(({ thread }) => thread))
    if (state !== 'granted' || !document.hidden) return
    for (const { thread, title, waits } of fresh)
      new Notification(`Waits: ${revealText(waits.join(', '))}`, { body: revealText(title), tag: thread })
  }, [runs, state])
  if (state !== 'default') return null
  const ask = () => void Notification.requestPermission().then(setState)
  return h('button', { type: 'button', onClick: ask }, 'Notify me when something waits')
}
