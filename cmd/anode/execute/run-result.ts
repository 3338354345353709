// The final output of a run on the streams, and the exit code of the run.

import type { UnansweredCall } from '../../../internal/agent/unanswered-calls.ts'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { describeRunReason } from '../../../internal/base/text/reason-words.ts'
import { formatTokenKinds, splitTokens } from '../../../internal/base/text/token-kinds.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { HeadlessRunResult } from '../../../internal/runtime/run/headless-run.ts'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { proofLine } from '../../../internal/tui/run-view/run-view.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'
import type { RunScreen } from './run-screen.ts'

interface RunResultOptions {
  /**
   * True if the run ended because an approval was needed, no user could give it, and `--on-ask` is `fail`.
   */
  failed: boolean
  ms: number
  /** The screen that has shown the run on a terminal; undefined without one. */
  screen: RunScreen | undefined
}

const codes = {
  done: exitCodes.done,
  partial: exitCodes.limit,
  limit: exitCodes.limit,
  failed: exitCodes.failed,
} as const

/**
 * Exit codes for the result of a search model, which searches files and shows passages from them without a
 * language model. `nothing` means that the search found no passage, `partial` that the passages answer only a
 * part of the question. `found` has the code 0, so the caller uses the code for the end of the run instead.
 */
const foundCodes = { found: exitCodes.done, partial: exitCodes.limit, nothing: exitCodes.failed } as const

/** Reasons for the end of a run that stopped before its check proved the work. */
const unprovenEnds: ReadonlySet<string> = new Set([
  ...['unproven', 'no_change', 'check_changed', 'tampered', 'stood_down'],
])

export async function printRunResult(
  ran: HeadlessRunResult,
  args: CommandArgs,
  io: CommandIo,
  counts: RunResultOptions,
): Promise<number> {
  const { end, spent, thread, model, receipts, unanswered, switches, proof } = ran
  const interrupted = Number(process.exitCode ?? 130)
  const isRefused = end.end === 'failed' && end.reason === 'denied'
  const isUnanswered =
    ran.isMissing && ran.proof?.state !== 'proven' && end.end !== 'failed' && end.end !== 'cancelled'
  const isUnproven = 'reason' in end && unprovenEnds.has(end.reason)
  const endCode = end.end === 'cancelled' ? interrupted : foundCodes[ran.found ?? 'found'] || codes[end.end]
  const code =
    counts.failed || isRefused
      ? exitCodes.denied
      : isUnproven
        ? exitCodes.unverified
        : isUnanswered
          ? exitCodes.denied
          : endCode
  if (flagArg(args, 'archive') && end.end === 'done') {
    await withDataStore(io.env, (store) => store.threads.archive(thread, true))
  }
  if (flagArg(args, 'json')) {
    const { text, ...how } = end
    const denied = unanswered.reduce((sum, { count }) => sum + count, 0)
    const facts = { proof, thread, model, switches, receipts, denied, unanswered, spent, ms: counts.ms }
    const whole = { ...how, text, ...facts }
    await writeText(io.stdout, `${JSON.stringify(whole)}\n`)
    return code
  }
  const isQuiet = flagArg(args, 'quiet') || flagArg(args, 'stream-json')
  // The screen prints its own summary of the run.
  if (!isQuiet && !counts.screen) io.stderr.write(tellReceipts(ran))
  const isDrawn = counts.screen?.answer(end.text) ?? false
  if (!isDrawn && !flagArg(args, 'stream-json') && end.text !== '') {
    const text = end.text
    await writeText(io.stdout, text.endsWith('\n') ? text : `${text}\n`)
  }
  counts.screen?.summary({ spent, ms: counts.ms })
  if (proof && !isQuiet) io.stderr.write(`${proofLine(proof)}\n`)
  if (end.end !== 'done')
    io.stderr.write(`anode: ${explainEnd(ran)}\nresume with: anode execute --resume ${thread}\n`)
  if (unanswered.length > 0) io.stderr.write(tellUnanswered(unanswered))
  if (flagArg(args, 'stats')) io.stderr.write(`${formatStats(ran, counts.ms)}\n`)
  return code
}

/**
 * Returns a line for each changed file and command of the run, at most 8 of each, and the number of others;
 * empty without any. A run that is done without a command and without a successful call gets a sentence
 * about that instead.
 */
function tellReceipts({ end, receipts: { calls, succeeded, changed, commands } }: HeadlessRunResult): string {
  if (end.end === 'done' && succeeded === 0 && commands.length === 0) {
    const failed =
      calls === 1 ? 'its one call did not succeed' : `none of its ${countNoun(calls, 'call')} succeeded`
    return calls === 0
      ? 'answered without using any tool\n'
      : `done, but ${failed}: nothing was read, changed or run\n`
  }
  const lines = [
    ...formatList('changed', changed),
    ...formatList(
      'ran',
      commands.map(({ command, exit, pipe, pipes }) => {
        const lists = (pipes ?? (pipe ? [pipe] : [])).map((codes) => codes.join(' '))
        const parts =
          lists.length === 0 ? '' : `, in its pipe${lists.length > 1 ? 's' : ''} ${lists.join(' and ')}`
        return `${command.split('\n', 1)[0]} (exit ${exit ?? 'unknown'}${parts})`
      }),
    ),
  ]
  return sanitizeText(lines.join(''), { keepLines: true })
}

function formatList(what: string, all: readonly string[]): string[] {
  const lines = all.slice(0, maxShown).map((one) => `${what} ${one}\n`)
  return all.length > maxShown ? [...lines, `${what} ${all.length - maxShown} more\n`] : lines
}

/**
 * Largest number of lines each for changed files, for commands and for denied calls; further ones
 * are only counted.
 */
const maxShown = 8

/**
 * Returns a text with at most 8 calls that no user could approve, and the number of others. Each call has the
 * mode, the rule or both that would allow it, or a note that only a user can allow it.
 */
function tellUnanswered(calls: readonly UnansweredCall[]): string {
  const lines = calls.slice(0, maxShown).map(({ tool, subject, count, mode, rule }) => {
    const times = count > 1 ? ` (${count} times)` : ''
    const ways = [
      ...(mode === undefined ? [] : [`--approval ${mode}`]),
      ...(rule === undefined ? [] : [`in "permissions": ${JSON.stringify(rule)}`]),
    ]
    const way =
      ways.length > 0 ? `\n    allowed by ${ways.join('\n    or ')}` : '\n    only a user can allow it'
    const what = sanitizeText(`${tool} ${subject}`.trimEnd())
    return `  ${what}${times}${sanitizeText(way, { keepLines: true })}\n`
  })
  const more = calls.length > maxShown ? `  and ${calls.length - maxShown} more\n` : ''
  return `denied because no user could approve: \n${lines.join('')}${more}`
}

function explainEnd({ end }: HeadlessRunResult): string {
  if (end.end === 'done') return 'done'
  const why = describeRunReason(end.reason)
  if (end.end === 'failed') return `the run failed (${why}): ${sanitizeText(end.message)}`
  if (end.reason === 'denied') return 'not all was done: the effect of a denied call is missing'
  return `the run ended early: ${end.end} (${why})`
}

function formatStats({ spent, model, switches, thread }: HeadlessRunResult, ms: number): string {
  const usd = spent.usd === null ? 'cost unknown' : `$${spent.usd.toFixed(4)}`
  const tokens = `${formatTokenKinds(splitTokens(spent))}${spent.estimated ? ' (estimated)' : ''}`
  const counts = `${countNoun(spent.requests, 'request')}  ${countNoun(spent.calls, 'call')}`
  const modelText = [model, ...switches.map((one) => `then ${one.model}`)].join(' ')
  return [modelText, counts, tokens, usd, `${(ms / 1000).toFixed(1)} s`, thread].join('  ')
}
