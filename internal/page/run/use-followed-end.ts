// Keeps the end of a conversation in sight while it grows, for who has not scrolled away from it.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { SessionView } from '../../session/view/session-view.ts'

/** Closer to the end than this is at the end, in pixels. */
const nearPx = 120

/** What waits for an answer is shown from its beginning on: nobody is brought past what has to be read. */
export function useFollowedEnd({ blocks, openReply, waits, pos }: SessionView): void {
  const isAtEnd = useRef(true)
  useEffect(() => {
    const look = () => {
      isAtEnd.current = endOfTalk() - innerHeight - scrollY < nearPx
    }
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  const isWaiting = waits.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that makes the conversation longer
  useLayoutEffect(() => {
    if (isWaiting || !isAtEnd.current || pos === 0) return
    scrollTo({ top: endOfTalk() - innerHeight })
  }, [blocks, openReply, isWaiting, pos])
}

/** What surrounds a run stands below its conversation where there is no room beside it. */
function endOfTalk(): number {
  const talk = document.querySelector('.talk')?.getBoundingClientRect()
  return talk === undefined ? document.documentElement.scrollHeight : talk.bottom + scrollY
}
