// What the process of a run executes; started by whoever begins or joins a run, never by a person.
import { writeSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { RunProcessOrder } from '../../../internal/service/runs/run-order.ts'
import { serveRunProcess } from '../../../internal/service/runs/run-process.ts'

export async function runProcess(): Promise<number> {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      stop.abort(new Error(signal))
      // a second one ends at once
      process.once(signal, () => process.exit(143))
    })
  let hasReplied = false
  await serveRunProcess(JSON.parse(await text(process.stdin)) as RunProcessOrder, {
    env: process.env,
    signal: stop.signal,
    reply(reply) {
      // who has started it waits for one line and then goes
      if (hasReplied) return
      hasReplied = true
      try {
        writeSync(1, `${JSON.stringify(reply)}\n`)
      } catch {
        // killed meanwhile: the run is begun, and goes on
      }
    },
  })
  return 0
}
