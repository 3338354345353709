// A run as its events tell it: folded as they come, drawn a few times a second.
import { useEffect, useState } from 'preact/hooks'
import type { SessionEvent } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'
import { describeProblem } from '../connection/ask-server.ts'
import { followServerEvents } from '../connection/event-reader.ts'
import { foldChild, type ShownChild } from './side/child-list.ts'

interface RunFeed {
  view: SessionView
  /** Agents that it has started, oldest first. */
  children: readonly ShownChild[]
  /** Stored events that have come; each counts once. */
  stored: number
  /** Since when the stream stands or not, in words where it has broken. */
  broken: string | undefined
  /** Why there is nothing to follow. */
  problem: string | undefined
}

const drawMs = 40

export function useRunFeed(thread: string): RunFeed {
  const [feed, setFeed] = useState<RunFeed>(() => emptyFeed(thread))
  useEffect(() => {
    const stop = new AbortController()
    let now = emptyFeed(thread)
    let timer: number | undefined
    const draw = () => {
      timer ??= window.setTimeout(() => {
        timer = undefined
        setFeed(now)
      }, drawMs)
    }
    const follow = async () => {
      const path = `/v1/runs/${encodeURIComponent(thread)}/events`
      const changed = (broken: string | undefined) => {
        now = { ...now, broken }
        draw()
      }
      for await (const event of followServerEvents<SessionEvent>({ path, signal: stop.signal, changed })) {
        const isStored = 'pos' in event && event.pos !== undefined
        now = {
          ...now,
          view: foldSessionEvent(now.view, event),
          children: foldChild(now.children, event),
          stored: now.stored + (isStored ? 1 : 0),
        }
        draw()
      }
    }
    setFeed(now)
    follow().catch((error: unknown) => {
      if (!stop.signal.aborted) setFeed({ ...now, problem: describeProblem(error) })
    })
    return () => {
      stop.abort()
      window.clearTimeout(timer)
    }
  }, [thread])
  return feed
}

const emptyFeed = (thread: string): RunFeed => ({
  view: emptyView(thread),
  children: [],
  stored: 0,
  broken: undefined,
  problem: undefined,
})
