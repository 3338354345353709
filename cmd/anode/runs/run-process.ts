// The command that the process of a run executes. Other commands start it; users do not.
import { writeSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { RunProcessOrder } from '../../../internal/service/runs/run-order.ts'
import { serveRunProcess } from '../../../internal/service/runs/run-process.ts'

export async function runProcess(): Promise<number> {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      stop.abort(new Error(signal))
      // A second signal ends the process immediately.
      process.once(signal, () => process.exit(143))
    })
  let hasReplied = false
  await serveRunProcess(JSON.parse(await text(process.stdin)) as RunProcessOrder, {
    env: process.env,
    signal: stop.signal,
    reply(reply) {
      // The process that started this one waits for one line and then exits, so only one line is written.
      if (hasReplied) return
      hasReplied = true
      try {
        writeSync(1, `${JSON.stringify(reply)}\n`)
      } catch {
        // the starting process was killed; the run has begun and continues
      }
    },
  })
  return 0
}
