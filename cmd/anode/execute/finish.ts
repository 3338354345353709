// What a run leaves behind on the streams, and its exit code.
import type { UnansweredCall } from '../../../internal/agent/unanswered.ts'
import type { Ran } from '../../../internal/host/run.ts'
import { clean } from '../../../internal/render/clean.ts'
import type { RunScreen } from '../../../internal/tui/run-screen.ts'
import { exit } from '../exit.ts'
import { write } from '../io.ts'
import { withStore } from '../threads/open.ts'
import { type Args, flag, type Io } from '../verb.ts'

interface Counts {
  /** The run was ended for want of an answer. */
  failed: boolean
  ms: number
  /** Where a person watches. */
  screen: RunScreen | undefined
}

const codes = { done: exit.done, partial: exit.limit, limit: exit.limit, failed: exit.failed } as const

export async function finish(ran: Ran, args: Args, io: Io, counts: Counts): Promise<number> {
  const { end, spent, thread, model, unanswered } = ran
  const interrupted = Number(process.exitCode ?? 130)
  const isRefused = end.end === 'failed' && end.reason === 'denied'
  const isUnanswered = unanswered.length > 0 && end.end !== 'failed' && end.end !== 'cancelled'
  const own = end.end === 'cancelled' ? interrupted : codes[end.end]
  const code = counts.failed || isRefused || isUnanswered ? exit.denied : own
  if (flag(args, 'archive') && end.end === 'done') {
    await withStore(io, (store) => store.threads.archive(thread, true))
  }
  if (flag(args, 'json')) {
    const { text, ...how } = end
    const denied = unanswered.reduce((sum, { count }) => sum + count, 0)
    const whole = { ...how, text, thread, model, denied, unanswered, spent, ms: counts.ms }
    await write(io.stdout, `${JSON.stringify(whole)}\n`)
    return code
  }
  const isDrawn = counts.screen?.answer(end.text) ?? false
  if (!isDrawn && !flag(args, 'stream-json') && end.text !== '') {
    const text = io.stdout.isTTY ? clean(end.text, { keepLines: true }) : end.text
    await write(io.stdout, text.endsWith('\n') ? text : `${text}\n`)
  }
  counts.screen?.summary({ spent, ms: counts.ms })
  if (end.end !== 'done')
    io.stderr.write(`anode: ${explain(ran)}\nresume with: anode execute --resume ${thread}\n`)
  if (unanswered.length > 0) io.stderr.write(tellUnanswered(unanswered))
  if (flag(args, 'stats')) io.stderr.write(`${stats(ran, counts.ms)}\n`)
  return code
}

/** Lines of calls that are shown; the rest is counted. */
const maxShown = 8

/** Which calls nobody could approve, and what lets each of them run. */
function tellUnanswered(calls: readonly UnansweredCall[]): string {
  const lines = calls.slice(0, maxShown).map(({ tool, subject, count, mode, rule }) => {
    const times = count > 1 ? ` (${count} times)` : ''
    const ways = [
      ...(mode === undefined ? [] : [`--approval ${mode}`]),
      ...(rule === undefined ? [] : [`in "permissions": ${JSON.stringify(rule)}`]),
    ]
    const way =
      ways.length > 0 ? `\n    allowed by ${ways.join('\n    or ')}` : '\n    only a person can allow it'
    return `  ${clean(`${tool} ${subject}`.trimEnd())}${times}${clean(way, { keepLines: true })}\n`
  })
  const more = calls.length > maxShown ? `  and ${calls.length - maxShown} more\n` : ''
  return `denied because nobody could approve:\n${lines.join('')}${more}`
}

function explain({ end }: Ran): string {
  if (end.end === 'done') return 'done'
  if (end.end === 'failed') return `the run failed (${end.reason}): ${clean(end.message)}`
  if (end.reason === 'denied') return 'not all was done: calls were denied because nobody could approve them'
  return `the run ended early: ${end.end} (${end.reason})`
}

function stats({ spent, model, thread }: Ran, ms: number): string {
  const usd = spent.usd === null ? 'cost unknown' : `$${spent.usd.toFixed(4)}`
  const tokens = `${spent.input} in ${spent.output} out${spent.estimated ? ' (estimated)' : ''}`
  return `${model}  ${spent.requests} requests  ${spent.calls} calls  ${tokens}  ${usd}  ${(ms / 1000).toFixed(1)} s  ${thread}`
}
