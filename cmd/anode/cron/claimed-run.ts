// The process that performs one run of a scheduled job which a scheduler has claimed, so that no other
// scheduler starts it. It runs the job's command and records the result.
import { beginRun, endRun } from '../../../internal/service/cron/claimed-run.ts'
import type { CronJob, CronKind, CronRun } from '../../../internal/store/cron/cron-store.ts'
import { execute } from '../execute/index.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandOutput } from '../io/command-output.ts'
import { reportFailure } from '../io/error-report.ts'
import { loadAuto, loadStudy } from '../long-verbs.ts'
import { parseArgs } from '../parse-args.ts'
import { type CommandIo, loadVerb, type VerbEntry } from '../verb.ts'

const maxNoteChars = 500

const commands: Readonly<Record<CronKind, VerbEntry>> = {
  execute,
  study: loadStudy,
  research: loadAuto,
}

/**
 * Runs the job of a claim, given as `RUN:CLAIM` (the ids of the run and of its reservation by a scheduler).
 * Returns the exit code of the job's command. If the claim is no longer valid or the job was removed, runs
 * nothing and returns 0.
 */
export async function runClaimed(claim: string, io: CommandIo): Promise<number> {
  const claimedRun = await beginRun(claim, io.env)
  if (!claimedRun) return exitCodes.done
  const { run, job } = claimedRun
  const out = captureOutput()
  const err = captureOutput()
  const jobIo = Object.create(io, { stdout: { value: out }, stderr: { value: err } }) as CommandIo
  const words = wordsOf(job)
  let exit: number
  try {
    const verb = await loadVerb(commands[job.kind])
    exit = await verb.run(parseArgs(verb, words), jobIo)
  } catch (error) {
    exit = reportFailure(error, jobIo, [job.kind])
  }
  await endRun(run, { exit, ...readEnd(exit, out.text(), err.text()) }, io.env)
  return exit
}

/**
 * Flags of `anode execute` for a run without a user: JSON output, no progress, and calls that need
 * approval are denied.
 */
const nobody = ['--json', '--quiet', '--approval', 'ask', '--on-ask', 'deny']

const wordsBy: Readonly<Record<CronKind, (job: CronJob, flags: readonly string[]) => string[]>> = {
  execute: ({ name, prompt, flags: { timeout } }, flags) => {
    const limit = timeout === undefined ? ['--timeout', '1h'] : []
    return [...nobody, '--run-label', `cron:${name}`, ...limit, ...flags, '--', prompt]
  },
  study: ({ prompt }, flags) => ['--json', '--quiet', ...flags, '--', prompt],
  research: ({ prompt }, flags) => ['--policy', prompt, '--json', ...flags],
}

function wordsOf(job: CronJob): string[] {
  // If a check consists of several commands, they are stored one a line.
  const flags = Object.entries(job.flags).flatMap(([flag, value]) =>
    (flag === 'until' ? value.split('\n') : [value]).map((part) => `--${flag}=${part}`),
  )
  return wordsBy[job.kind](job, flags)
}

const states: Readonly<Record<number, CronRun['state']>> = {
  [exitCodes.done]: 'done',
  [exitCodes.limit]: 'limit',
  [exitCodes.denied]: 'partial',
  [exitCodes.unverified]: 'partial',
  129: 'cancelled',
  130: 'cancelled',
  143: 'cancelled',
}

function readEnd(exit: number, out: string, err: string): Pick<CronRun, 'state' | 'thread' | 'note'> {
  const result = readJson(out)
  const thread = [result['thread'], result['id'], result['session']].find((id) => typeof id === 'string')
  const answer = [result['text'], result['outcome'], result['stopped']].find(
    (text) => typeof text === 'string',
  )
  const note = [...deniedCalls(result), (answer as string | undefined)?.trim() || err.trim()].join('\n')
  return {
    state: states[exit] ?? 'failed',
    thread: (thread as string | undefined) ?? null,
    note: note.slice(0, maxNoteChars),
  }
}

const maxDeniedShown = 3

/**
 * Returns a list with one line about the calls that were denied because no user could approve them: the first
 * three calls and the number of others. Returns an empty list without such calls. The line precedes the
 * answer, which may not mention these calls.
 */
function deniedCalls({ unanswered }: Record<string, unknown>): string[] {
  const calls = (Array.isArray(unanswered) ? unanswered : []) as { tool: string; subject: string }[]
  if (calls.length === 0) return []
  const names = calls.slice(0, maxDeniedShown).map(({ tool, subject }) => `${tool} ${subject}`.trim())
  const more = calls.length > maxDeniedShown ? `, and ${calls.length - maxDeniedShown} more` : ''
  return [`denied because no user could approve: ${names.join(', ')}${more}`]
}

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    // The output is not JSON: the command failed before its result, and has printed the reason
    // to standard error.
    return {}
  }
}

/** Returns an output that stores the written text, at most its last 8,000,000 characters. */
function captureOutput(): CommandOutput & { text(): string } {
  let text = ''
  return {
    isTTY: false,
    columns: undefined,
    stream: process.stderr,
    draw: () => undefined,
    write(message, done) {
      text = (text + message).slice(-8_000_000)
      done?.()
      return true
    },
    text: () => text,
  }
}
