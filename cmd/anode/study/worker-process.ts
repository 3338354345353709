// The command that a study's worker process executes. Only the coordinator of the study starts it.
import { messageOf } from '../../../internal/base/errors.ts'
import { runLocalWorker } from '../../../internal/service/study/local-worker.ts'

export async function runStudyWorker(): Promise<number> {
  const stop = new AbortController()
  process.once('SIGTERM', () => {
    stop.abort(new Error('SIGTERM'))
    // A second signal ends the process immediately.
    process.once('SIGTERM', () => process.exit(143))
  })
  // Ctrl-C reaches the whole process group, but the coordinator tells the workers when to end, so
  // they ignore it.
  process.on('SIGINT', () => undefined)
  const log = (text: string) => void process.stderr.write(`${text}\n`)
  try {
    await runLocalWorker({ stdin: process.stdin, env: process.env, signal: stop.signal, log })
    return 0
  } catch (error) {
    // The coordinator reads this line, and prints it if no worker can continue.
    log(messageOf(error))
    return 1
  } finally {
    process.stdin.destroy()
  }
}
