// Text about the checks of a run, which are commands that have to pass before it ends: a line for each
// command, and the verdict.
import type { EventPayload } from '../../event/event.ts'

type CheckRun = EventPayload<'check.ran'>
type RunningCheck = NonNullable<EventPayload<'check.running'>['check']>
type RunProof = NonNullable<EventPayload<'run.ended'>['proof']>

export interface CheckLine {
  mark: '✔' | '✖'
  text: string
}

const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/**
 * Returns a line for each command, such as `check 1 of 5 npm test exit 1 0.8 s`. If no command failed and
 * still nothing is proven, a last line gives the reason.
 */
export function describeCheckRun(run: CheckRun): CheckLine[] {
  const name = run.attempt === 0 ? 'check before the start' : `check ${run.attempt} of ${run.limit}`
  const lines = run.checks.map(({ command, exit, ms, ended: endReason, originals }): CheckLine => {
    const tests = originals === 'restored' ? '  with the original tests' : ''
    const end = endReason ?? (exit === null ? 'ended by a signal' : `exit ${exit}`)
    return {
      mark: exit === 0 ? '✔' : '✖',
      text: `${name}  ${command.split('\n', 1)[0]}  ${end}  ${formatSeconds(ms)}${tests}`,
    }
  })
  const isPassed = run.checks.every(({ exit }) => exit === 0)
  if (run.state === 'proven' || !isPassed) return lines
  return [...lines, { mark: '✖', text: `${name}  ${reasonText(run)}` }]
}

/** Returns what runs, such as `checking: npm test, 2 of 5`. */
export function describeRunningCheck({ command, attempt, limit, originals }: RunningCheck): string {
  const tests = originals === 'restored' ? ' with the original tests' : ''
  const which = attempt === 0 ? 'before the start' : `${attempt} of ${limit}`
  return `checking: ${command.split('\n', 1)[0]}${tests}, ${which}`
}

/** Returns the verdict, such as `proven by npm test` or `NOT proven: npm test fails`. */
export function describeProof(proof: RunProof): string {
  if (proof.state === 'unproven') return `NOT proven: ${reasonText(proof)}`
  const commands = [...new Set(proof.checks.map(({ command }) => command.split('\n', 1)[0]))]
  const flaky = proof.flaky ? ' (flaky: it also failed on the same files)' : ''
  return `proven by ${commands.join(', ')}${flaky}`
}

function reasonText({ reason, changed, checks }: Pick<CheckRun, 'reason' | 'changed' | 'checks'>): string {
  const files = changed.join(', ')
  const failed = checks.find(({ exit }) => exit !== 0)
  if (reason === 'tampered') return `the definition of the check changed: ${files}`
  if (reason === 'check_changed') return `it passes only with these changed files: ${files}`
  if (reason === 'unstable') return 'the check changes tracked files each time it runs'
  if (!failed) return 'the check has not run'
  return `${failed.command.split('\n', 1)[0]} ${failureWords[failed.ended ?? ''] ?? 'fails'}`
}

const failureWords: Readonly<Record<string, string>> = {
  timeout: 'did not end in time',
  cancelled: 'was interrupted',
}
