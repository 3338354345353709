// What a thread has come to: its runs and their cost, for the line that leads back to it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { handedOverReason } from '../../session/view/fold-run.ts'
import { withDataStore } from '../user/data-store.ts'

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
    const ends = store.threads.tail(thread, 100_000, ['run.ended'])
    const costs = ends.map(({ payload }) => (payload as { usd?: number | null }).usd ?? null)
    const usd = costs.reduce<number | null>(
      (sum, cost) => (sum === null || cost === null ? null : sum + cost),
      0,
    )
    const name = shortName(thread, (prefix) => store.threads.find(prefix).length)
    const runs = ends.filter(({ payload }, at) => at === ends.length - 1 || !goesOn(payload))
    return { name, runs: runs.length, usd }
  })
}

/** A run that was handed over is the one that goes on behind it. */
const goesOn = (payload: unknown) => (payload as { reason?: string }).reason === handedOverReason

/** As short as it can be and still be the only one: at least ten characters, without `sess_`. */
function shortName(thread: string, countOf: (prefix: string) => number): string {
  const id = thread.replace(/^sess_/, '')
  for (let length = 10; length < id.length; length++)
    if (countOf(id.slice(0, length)) === 1) return id.slice(0, length)
  return id
}
