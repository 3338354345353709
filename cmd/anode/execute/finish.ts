// What a run leaves behind on the streams, and its exit code.
import type { Ran } from '../../../internal/host/run.ts'
import { clean } from '../../../internal/render/clean.ts'
import { exit } from '../exit.ts'
import { write } from '../io.ts'
import { withStore } from '../threads/open.ts'
import { type Args, flag, type Io } from '../verb.ts'

interface Counts {
  /** Calls denied because nobody could answer. */
  denied: number
  /** The run was ended for want of an answer. */
  failed: boolean
  ms: number
}

const codes = { done: exit.done, partial: exit.limit, limit: exit.limit, failed: exit.failed } as const

export async function finish(ran: Ran, args: Args, io: Io, counts: Counts): Promise<number> {
  const { end, spent, thread, model } = ran
  const interrupted = Number(process.exitCode ?? 130)
  const isRefused = end.end === 'failed' && end.reason === 'denied'
  const code =
    counts.failed || isRefused ? exit.denied : end.end === 'cancelled' ? interrupted : codes[end.end]
  if (flag(args, 'archive') && end.end === 'done') {
    await withStore(io, (store) => store.threads.archive(thread, true))
  }
  if (flag(args, 'json')) {
    const { text, ...how } = end
    const whole = { ...how, text, thread, model, denied: counts.denied, spent, ms: counts.ms }
    await write(io.stdout, `${JSON.stringify(whole)}\n`)
    return code
  }
  if (!flag(args, 'stream-json') && end.text !== '') {
    const text = io.stdout.isTTY ? clean(end.text, { keepLines: true }) : end.text
    await write(io.stdout, text.endsWith('\n') ? text : `${text}\n`)
  }
  if (end.end !== 'done')
    io.stderr.write(`anode: ${explain(ran)}\nresume with: anode execute --resume ${thread}\n`)
  if (counts.denied > 0)
    io.stderr.write(
      `calls denied because nobody could approve: ${counts.denied}; see --approval and \`anode permissions\`\n`,
    )
  if (flag(args, 'stats')) io.stderr.write(`${stats(ran, counts.ms)}\n`)
  return code
}

function explain({ end }: Ran): string {
  if (end.end === 'done') return 'done'
  if (end.end === 'failed') return `the run failed (${end.reason}): ${clean(end.message)}`
  return `the run ended early: ${end.end} (${end.reason})`
}

function stats({ spent, model, thread }: Ran, ms: number): string {
  const usd = spent.usd === null ? 'cost unknown' : `$${spent.usd.toFixed(4)}`
  const tokens = `${spent.input} in ${spent.output} out${spent.estimated ? ' (estimated)' : ''}`
  return `${model}  ${spent.requests} requests  ${spent.calls} calls  ${tokens}  ${usd}  ${(ms / 1000).toFixed(1)} s  ${thread}`
}
