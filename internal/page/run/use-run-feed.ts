// Hook for the live state of a run. Events update it, and the page renders it at most 25 times a second.
import { useEffect, useState } from 'preact/hooks'
import type { SessionEvent } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'
import { describeProblem } from '../connection/ask-server.ts'
import { followServerEvents } from '../connection/event-reader.ts'
import { foldChild, type ShownChild } from './side/child-list.ts'

interface RunFeed {
  view: SessionView
  /** Subagents, oldest first. */
  children: readonly ShownChild[]
  /** Number of stored events that have arrived, each counted once. */
  stored: number
  /**
   * Message that the event stream is not connected, after a lost connection or a failed attempt. Undefined
   * while it is connected, and before the first attempt has ended.
   */
  broken: string | undefined
  /** Reason why the page cannot follow the run; undefined if it can. */
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
