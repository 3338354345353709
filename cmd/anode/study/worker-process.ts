// The program of a study's worker process. Only the coordinator starts it.
import { messageOf } from '../../../internal/base/errors.ts'
import { runLocalWorker } from '../../../internal/service/study/local-worker.ts'

export async function runStudyWorker(): Promise<number> {
  const stop = new AbortController()
  process.once('SIGTERM', () => {
    stop.abort(new Error('SIGTERM'))
    // a second signal ends the process immediately
    process.once('SIGTERM', () => process.exit(143))
  })
  // Ctrl-C reaches the whole process group, and the coordinator tells the workers when to end
  process.on('SIGINT', () => undefined)
  const log = (text: string) => void process.stderr.write(`${text}\n`)
  try {
    await runLocalWorker({ stdin: process.stdin, env: process.env, signal: stop.signal, log })
    return 0
  } catch (error) {
    // the coordinator prints this line if no worker stays alive
    log(messageOf(error))
    return 1
  } finally {
    process.stdin.destroy()
  }
}
