// The tool sleep: waits until the time has passed, the call is canceled, or an event such as the end of a
// background job wakes it.
import * as z from 'zod/mini'
import { monotonicNow } from '../../base/time-limit.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './sleep.md'

const maxSeconds = 3600

export const sleep = defineTool({
  name: 'sleep',
  about,
  offer: { optional: true },
  alone: true,
  input: z.object({
    seconds: field(
      z.number().check(z.gte(0), z.lte(maxSeconds)),
      `How long to wait, 0 to ${maxSeconds}; fractions count.`,
    ),
  }),
  example: { seconds: 30 },
  level: 'auto_read',
  async run({ seconds }, ctx) {
    const started = monotonicNow()
    const status = await waitFor(seconds * 1000, ctx)
    // A timer may fire slightly early, and then the wait still counts as the whole time.
    const slept = status === 'completed' ? seconds : Math.round((monotonicNow() - started) / 100) / 10
    const data = { status, requested_seconds: seconds, slept_seconds: Math.min(seconds, slept) }
    const why = { completed: '', cancelled: ', cancelled', woken: ', woken' }[status]
    return { text: `slept ${data.slept_seconds} s of ${seconds} s${why}`, data }
  },
})

type SleepEnd = 'completed' | 'cancelled' | 'woken'

async function waitFor(ms: number, { signal, can }: Ctx): Promise<SleepEnd> {
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let cancel: () => void = () => undefined
  try {
    return await new Promise<SleepEnd>((resolve) => {
      timer = setTimeout(() => resolve('completed'), ms)
      cancel = () => resolve('cancelled')
      signal.addEventListener('abort', cancel, { once: true })
      if (signal.aborted) cancel()
      for (const event of [can.interruption?.(over.signal), can.processes.jobs?.opened?.nextEnd(over.signal)])
        event?.then(
          () => resolve('woken'),
          () => undefined,
        )
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    over.abort()
  }
}
