// Reader of stored data of a run for clients, whether or not its process is alive.
import type { RunAccess } from '../../server/backend.ts'
import type { Store } from '../../store/store.ts'
import { isRunAlive, readRunRecord } from '../runs/run-record.ts'
import { readSessionTopic } from '../session/topic/session-topics.ts'
import { readBlobText } from '../threads/blob-text.ts'
import { demandChild, watchRunningChildren } from '../threads/subagent-threads.ts'

export function openRunTopics(data: string, store: Store): Pick<RunAccess, 'findTopic' | 'readText'> {
  return {
    async findTopic(thread, topic) {
      const workspace = store.threads.get(thread)?.workspace ?? (await readRunRecord(data, thread))?.workspace
      if (workspace === undefined) return undefined
      if (topic.kind === 'child') demandChild(store, thread, topic.thread)
      const isUnended = watchRunningChildren(store, thread)
      const isRunning = async (child: string) => {
        const record = await readRunRecord(data, thread)
        return (record === undefined || isRunAlive(record)) && isUnended(child)
      }
      const place = { thread, context: { data, workspace }, store: () => store, isRunning }
      return (after, signal) => readSessionTopic(place, topic, after, signal)
    },
    readText: async (thread, hash, range) => readBlobText(store, thread, hash, range),
  }
}
