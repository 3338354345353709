// A session that continues in this process, in the background of the shell, when its screen closes.
import { isShellJob, moveToBackground } from '../../process/shell-job.ts'
import type { LocalService } from '../session/local-service.ts'
import { readThreadTotals } from '../threads/thread-totals.ts'
import { type RunProcessOptions, serveOpenSession } from './run-process.ts'

interface BackgroundPlace extends Pick<RunProcessOptions, 'env' | 'signal'> {
  cwd: string
  stderr: { write(text: string): void }
}

/**
 * Lets other processes join a session of this process. Resolves to a function to call after the screen has
 * closed: it moves this process to the background of the shell, and resolves to 0 when the session is idle.
 * Undefined if no shell would take the terminal back, or if another process serves the thread.
 */
export async function keepSession(
  service: LocalService,
  thread: string,
  { env, cwd, signal, stderr }: BackgroundPlace,
): Promise<(() => Promise<number>) | undefined> {
  const client = isShellJob() ? service.attach(thread) : undefined
  const untilIdle = client && (await serveOpenSession(service, client, { env, cwd, signal }))
  if (!untilIdle) {
    await client?.detach()
    return undefined
  }
  return async () => {
    const name = (await readThreadTotals(env, thread))?.name ?? thread
    stderr.write(`anode attach ${name}  still running, as a job of this shell\n`)
    await moveToBackground()
    await untilIdle()
    return 0
  }
}
