// What a thread has come to: its runs and their cost, for the line that leads back to it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'
import { sumRunCosts } from './thread-list.ts'

interface ThreadTotals {
  /** Enough of its id to find it again. */
  name: string
  runs: number
  /** null: a price was unknown. */
  usd: number | null
}

/** Undefined for a thread in which nothing was kept. */
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

/** As short as it can be and still be the only one: at least ten characters, without `sess_`. */
function shortName(thread: string, countOf: (prefix: string) => number): string {
  const id = thread.replace(/^sess_/, '')
  for (let length = 10; length < id.length; length++)
    if (countOf(id.slice(0, length)) === 1) return id.slice(0, length)
  return id
}
