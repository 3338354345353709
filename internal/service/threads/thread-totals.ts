// The number of runs of a thread and their cost, for the line that names the thread at the end of a session.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'
import { sumRunCosts } from './thread-list.ts'

interface ThreadTotals {
  /** A unique prefix of the thread's ID, without `sess_`. */
  name: string
  runs: number
  /** Cost in US dollars; null if a price is unknown. */
  usd: number | null
}

/** Returns the totals, or undefined for a thread that is not stored. */
export async function readThreadTotals(
  env: Readonly<Record<string, string | undefined>>,
  thread: string,
): Promise<ThreadTotals | undefined> {
  if (!existsSync(join(dataDir(env), 'anode.db'))) return undefined
  return withDataStore(env, (store) => {
    if (!store.threads.get(thread)) return undefined
    const name = shortName(thread, (prefix) => store.threads.find(prefix).length)
    return { name, ...sumRunCosts(store, thread) }
  })
}

/** Returns the shortest unique prefix of the ID: at least ten characters, without `sess_`. */
function shortName(thread: string, countOf: (prefix: string) => number): string {
  const id = thread.replace(/^sess_/, '')
  for (let length = 10; length < id.length; length++)
    if (countOf(id.slice(0, length)) === 1) return id.slice(0, length)
  return id
}
