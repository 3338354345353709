// Notice about runs that wait for an answer, on every view: a link, and a notification for users
// who enabled it.

import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { countNoun } from '../../base/text/count-noun.ts'
import type { RunSummary } from '../../server/run-summary.ts'
import { goToPage, PageLink } from '../page-link.ts'
import { revealText } from '../text/shown-text.ts'

export function WaitingNotice({
  runs,
  shown: shownThread,
}: {
  runs: readonly RunSummary[]
  shown: string | undefined
}) {
  const [state, setState] = useState(readPermission)
  const waiting = runs.filter((run) => run.state === 'waiting')
  useNotifications(waiting, state === 'granted')
  const others = waiting.filter(({ thread }) => thread !== shownThread)
  const ask = () => void Notification.requestPermission().then(setState)
  const words = countNoun(others.length, 'waits', 'wait')
  return h(
    'div',
    { class: 'waiting' },
    state === 'default' &&
      h('button', { type: 'button', class: 'plain', onClick: ask }, 'Notify me of questions'),
    others[0] && h(PageLink, { href: `/runs/${others[0].thread}`, class: 'badge' }, words),
  )
}

export const readPermission = () => (typeof Notification === 'function' ? Notification.permission : 'denied')

/**
 * If `isWanted`, sends a notification for each run that begins to wait, or waits for something else, while
 * the page is hidden or does not have the focus.
 */
function useNotifications(waiting: readonly RunSummary[], isWanted: boolean): void {
  const knownNames = useRef(new Set<string>())
  useEffect(() => {
    const fresh = waiting.filter((run) => !knownNames.current.has(nameOf(run)))
    knownNames.current = new Set(waiting.map(nameOf))
    if (!isWanted || (!document.hidden && document.hasFocus())) return
    for (const { thread, title, waits } of fresh) {
      const text = { body: revealText(title), tag: thread }
      const notice = new Notification(`Waiting: ${revealText(waits.join(', '))}`, text)
      notice.onclick = () => {
        window.focus()
        goToPage(`/runs/${thread}`)
        notice.close()
      }
    }
  }, [waiting, isWanted])
}

/**
 * Returns a text that identifies what a run waits for, so that another question of the same run
 * causes another notification.
 */
const nameOf = ({ thread, waits }: RunSummary) => `${thread} ${waits.join('\n')}`
