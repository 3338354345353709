// Hook for the live state (board) of a study, build or experiment session, with its records as they arrive.
import { useEffect, useRef, useState } from 'preact/hooks'
import { askServer, describeProblem } from './ask-server.ts'
import { followServerEvents } from './event-reader.ts'

interface BoardFeed<Board, Entry> {
  board: Board | undefined
  /** The latest 300 records of the journal, oldest first. */
  records: readonly Entry[]
  /** Number of records that have arrived, each counted once. */
  stored: number
  broken: string | undefined
  problem: string | undefined
}

const maxRecords = 300
/**
 * Milliseconds from the arrival of a record until the whole state is requested. Records that arrive meanwhile
 * cause no further request.
 */
const lookMs = 600
const slowMs = 5_000

const emptyFeed = { board: undefined, records: [], stored: 0, broken: undefined, problem: undefined }

/**
 * Follows the state (board) of a study, build or experiment session, whose events are at a URL below `path`.
 * Requests the board after events, and every 5 seconds while the page is visible; `look` requests it at once.
 */
export function useBoardFeed<Board, Entry extends object>(
  path: string,
): BoardFeed<Board, Entry> & { look(): void } {
  const [feed, setFeed] = useState<BoardFeed<Board, Entry>>(emptyFeed)
  const looking = useRef<() => void>(() => undefined)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    let now: BoardFeed<Board, Entry> = emptyFeed
    let timer: number | undefined
    const change = (changes: Partial<BoardFeed<Board, Entry>>) => {
      if (signal.aborted) return
      now = { ...now, ...changes }
      setFeed(now)
    }
    const fail = (error: unknown) => change({ problem: describeProblem(error) })
    const ask = () =>
      askServer<Board>(path, { signal }).then((board) => change({ board, problem: undefined }), fail)
    const look = () => {
      timer ??= window.setTimeout(() => {
        timer = undefined
        void ask()
      }, lookMs)
    }
    const follow = async () => {
      const changed = (broken: string | undefined) => change({ broken })
      for await (const record of followServerEvents<Entry>({ path: `${path}/events`, signal, changed })) {
        change({ records: [...now.records, record].slice(-maxRecords), stored: now.stored + 1 })
        look()
      }
    }
    // Some changes have no record, such as an ended process or a paused loop, so the state is
    // also requested regularly.
    const slow = window.setInterval(() => document.hidden || look(), slowMs)
    looking.current = () => void ask()
    setFeed(emptyFeed)
    void ask()
    follow().catch(fail)
    return () => {
      stop.abort()
      window.clearTimeout(timer)
      window.clearInterval(slow)
    }
  }, [path])
  return { ...feed, look: () => looking.current() }
}
