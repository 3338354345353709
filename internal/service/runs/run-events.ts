// Reader of the events of a run: live while the run is active, otherwise from the store.
import { dataDir } from '../../base/dirs.ts'
import { FailureError } from '../../base/errors.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'
import type { SessionEvent } from '../../session/client.ts'
import { joinRun, type RunPlace } from './run-access.ts'
import { isRunAlive, readRunRecord } from './run-record.ts'

/**
 * Yields the events of a thread in order from the first, each stored event once. Ends with the run's process
 * or `signal`, and after the stored events if no process serves the run. Starts no process.
 */
export async function* readRunEvents(
  env: RunPlace['env'],
  thread: string,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent, void> {
  const data = dataDir(env)
  let last = 0
  for (;;) {
    const record = readRunRecord(data, thread)
    const client = record && isRunAlive(record) ? await joinRun(data, thread) : undefined
    if (!client) break
    try {
      for await (const event of client.readEvents(last, signal)) {
        if ('pos' in event && event.pos !== undefined) last = event.pos
        yield event
      }
      break
    } catch (error) {
      // the reader was too slow for the events, so it connects again and continues after the last event
      if (!(error instanceof FailureError && error.failure.code === 'lagged')) throw error
    } finally {
      await client.detach()
    }
  }
  while (!signal.aborted) {
    const stored = await withDataStore(env, (store) => store.threads.events(thread, last, 500))
    last = stored.at(-1)?.pos ?? last
    yield* stored
    if (stored.length < 500) return
  }
}
