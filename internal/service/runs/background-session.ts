// A session that continues in this process, in the background, when its screen closes.
import { findTerminalExit, moveToBackground } from '../../process/shell-job.ts'
import type { LocalService } from '../session/local-service.ts'
import { readThreadTotals } from '../threads/thread-totals.ts'
import { type RunProcessOptions, serveOpenSession } from './run-process.ts'

interface BackgroundPlace extends Pick<RunProcessOptions, 'env' | 'signal'> {
  cwd: string
  stderr: { write(text: string): void }
}

/**
 * Lets other processes join a session of this process. Resolves to a function to call after the screen has
 * closed: it moves this process to the background, and resolves to 0 when the session is idle. Undefined if
 * another process waits for the end of this one, or if another process serves the thread.
 */
export async function keepSession(
  service: LocalService,
  thread: string,
  { env, cwd, signal, stderr }: BackgroundPlace,
): Promise<(() => Promise<number>) | undefined> {
  const exit = findTerminalExit()
  const client = exit ? service.attach(thread) : undefined
  const untilIdle = client && (await serveOpenSession(service, client, { env, cwd, signal }))
  if (!exit || !untilIdle) {
    await client?.detach()
    return undefined
  }
  return async () => {
    const name = (await readThreadTotals(env, thread))?.name ?? thread
    const where = exit === 'shell' ? ', as a job of this shell' : '; you can close this window'
    stderr.write(`anode attach ${name}  still running${where}\n`)
    await moveToBackground(exit)
    await untilIdle()
    return 0
  }
}
