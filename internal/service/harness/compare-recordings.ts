// Comparison of two recorded runs of a command. Ids and times are ignored.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { maskVarying } from '../../model/request-hash.ts'
import { listRecordedSteps, type RecordedStep } from './recorded-steps.ts'
import { type CommandRecording, readOutput } from './recording.ts'

export interface RunDifference {
  /** `exit`, `output`, or the thread or task in which the steps differ. */
  where: string
  /** The part of the first run that differs; null if that run has nothing at this position. */
  first: string | null
  second: string | null
}

/**
 * Returns the first difference of the exit codes, of the outputs, and of the steps in each thread and task;
 * empty for equal runs.
 */
export async function compareRecordings(
  env: EnvironmentVariables,
  [first, second]: readonly [CommandRecording, CommandRecording],
): Promise<RunDifference[]> {
  const out: RunDifference[] = []
  if (first.exit !== second.exit)
    out.push({ where: 'exit', first: String(first.exit ?? null), second: String(second.exit ?? null) })
  const output = firstDifference(linesOf(readOutput(env, first)), linesOf(readOutput(env, second)))
  if (output) out.push({ where: 'output', ...output })
  const a = await groupSteps(env, first)
  const b = await groupSteps(env, second)
  matchThreads(a, b)
  for (const where of new Set([...a.keys(), ...b.keys()])) {
    const steps = firstDifference(a.get(where) ?? [], b.get(where) ?? [])
    if (steps) out.push({ where, ...steps })
  }
  return out
}

/** Gives threads of `b` the names of equal threads of `a`, because parallel agents start in any order. */
function matchThreads(a: ReadonlyMap<string, string[]>, b: Map<string, string[]>): void {
  const differs = (name: string) => firstDifference(a.get(name) ?? [], b.get(name) ?? []) !== undefined
  for (const [name, steps] of a) {
    if (!name.startsWith('thread ') || !differs(name)) continue
    for (const [other, others] of b) {
      if (!other.startsWith('thread ') || !differs(other) || firstDifference(steps, others)) continue
      const replaced = b.get(name)
      b.set(name, others)
      if (replaced) b.set(other, replaced)
      else b.delete(other)
      break
    }
  }
}

const maskRun = (text: string) => maskVarying(text, { times: true })

const linesOf = (text: string) => maskRun(text).split('\n')

/**
 * Returns the steps of each thread and task in order. Parallel calls end in any order, so the calls and
 * results between two responses are sorted.
 */
async function groupSteps(
  env: EnvironmentVariables,
  recording: CommandRecording,
): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>()
  const threads = new Map(recording.threads.map((id, i) => [id, `thread ${i + 1}`]))
  for (const step of await listRecordedSteps(env, recording)) {
    if (!isCompared(step)) continue
    const where = threads.get(step.where) ?? step.where
    const cwd = step.about.replaceAll(recording.cwd, '<cwd>')
    groups.set(where, [...(groups.get(where) ?? []), `${step.kind} ${maskRun(cwd)}`])
  }
  return new Map([...groups].map(([where, steps]) => [where, sortBetweenReplies(steps)]))
}

function sortBetweenReplies(steps: readonly string[]): string[] {
  const out: string[] = []
  const turn: string[] = []
  for (const step of steps) {
    if (step.startsWith('reply ')) out.push(...turn.splice(0).sort(), step)
    else turn.push(step)
  }
  return [...out, ...turn.sort()]
}

/**
 * Returns true for a step that is compared: a response, a call or a result. Requests do not occur in replays.
 * Events and decisions may have any order, because workers process tasks at the same time.
 */
const isCompared = ({ kind }: RecordedStep) => kind === 'reply' || kind === 'call' || kind === 'result'

function firstDifference(
  first: readonly string[],
  second: readonly string[],
): Pick<RunDifference, 'first' | 'second'> | undefined {
  const length = Math.max(first.length, second.length)
  for (let i = 0; i < length; i++)
    if (first[i] !== second[i]) return { first: first[i] ?? null, second: second[i] ?? null }
  return undefined
}
