// Hook that keeps the end of a growing conversation visible, unless the user has scrolled away from it.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { SessionView } from '../../session/view/session-view.ts'

/** Distance from the end, in pixels, up to which the view counts as being at the end. */
const nearPx = 120

/**
 * Scrolls to the end of the conversation when it grows, if the page is already near that end. The page does
 * not scroll while a call waits for approval, so that it does not scroll past text that has to be read.
 */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: every value that makes the conversation longer
  useLayoutEffect(() => {
    if (isWaiting || !isAtEnd.current || pos === 0) return
    scrollTo({ top: endOfTalk() - innerHeight })
  }, [blocks, openReply, isWaiting, pos])
}

/**
 * Returns the position of the end of the conversation in the document, in pixels. On a narrow screen the side
 * panel follows below that end.
 */
function endOfTalk(): number {
  const talk = document.querySelector('.talk')?.getBoundingClientRect()
  return talk === undefined ? document.documentElement.scrollHeight : talk.bottom + scrollY
}
