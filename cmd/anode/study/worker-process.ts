// What a worker process of a study runs; started by the coordinator alone.
import { messageOf } from '../../../internal/base/errors.ts'
import { runLocalWorker } from '../../../internal/service/study/local-worker.ts'

export async function runStudyWorker(): Promise<number> {
  const stop = new AbortController()
  process.once('SIGTERM', () => {
    stop.abort(new Error('SIGTERM'))
    // a second one ends at once
    process.once('SIGTERM', () => process.exit(143))
  })
  // the terminal's interrupt reaches the whole group; the coordinator says what is to be done
  process.on('SIGINT', () => undefined)
  const log = (text: string) => void process.stderr.write(`${text}\n`)
  try {
    await runLocalWorker({ stdin: process.stdin, env: process.env, signal: stop.signal, log })
    return 0
  } catch (error) {
    // the coordinator reads this line and says it when no worker stays alive
    log(messageOf(error))
    return 1
  } finally {
    process.stdin.destroy()
  }
}
