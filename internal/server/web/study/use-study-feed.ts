// A study as it goes on: its entries as they come, and how it stands after them.
import { useEffect, useState } from 'preact/hooks'
import type { StudyBoard, StudyRecord } from '../../study-board.ts'
import { askServer, describeProblem } from '../connection/ask-server.ts'
import { followServerEvents } from '../connection/event-reader.ts'

interface StudyFeed {
  board: StudyBoard | undefined
  /** The newest entries, oldest first. */
  records: readonly StudyRecord[]
  /** Entries that have come; each counts once. */
  stored: number
  broken: string | undefined
  problem: string | undefined
}

const maxRecords = 300
/** Between two looks at the whole of it. */
const lookMs = 600

const emptyFeed: StudyFeed = {
  ...{ board: undefined, records: [], stored: 0, broken: undefined, problem: undefined },
}

export function useStudyFeed(id: string): StudyFeed {
  const [feed, setFeed] = useState(emptyFeed)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const path = `/v1/studies/${encodeURIComponent(id)}`
    let now = emptyFeed
    let timer: number | undefined
    const change = (changes: Partial<StudyFeed>) => {
      if (signal.aborted) return
      now = { ...now, ...changes }
      setFeed(now)
    }
    const fail = (error: unknown) => change({ problem: describeProblem(error) })
    const look = () => {
      timer ??= window.setTimeout(() => {
        timer = undefined
        askServer<StudyBoard>(path, { signal }).then((board) => change({ board }), fail)
      }, lookMs)
    }
    const follow = async () => {
      const changed = (broken: string | undefined) => change({ broken })
      for await (const record of followServerEvents<StudyRecord>({
        path: `${path}/events`,
        signal,
        changed,
      })) {
        const records = [...now.records, record].slice(-maxRecords)
        change({ records, stored: now.stored + 1 })
        look()
      }
    }
    setFeed(emptyFeed)
    askServer<StudyBoard>(path, { signal }).then((board) => change({ board }), fail)
    follow().catch(fail)
    return () => {
      stop.abort()
      window.clearTimeout(timer)
    }
  }, [id])
  return feed
}
