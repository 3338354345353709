// From parsed flags to a run, and from its end to what is printed and the exit code.
import { UserError } from '../../../internal/base/errors.ts'
import { run } from '../../../internal/host/run.ts'
import type { RunOptions } from '../../../internal/host/run-options.ts'
import type { Content } from '../../../internal/model/model.ts'
import type { Mode } from '../../../internal/policy/level.ts'
import { approver } from '../../../internal/tui/approve.ts'
import { progress } from '../../../internal/tui/progress.ts'
import { duration, noTask } from '../execute.ts'
import { exit } from '../exit.ts'
import { findThread, withStore } from '../threads/open.ts'
import { type Args, flag, type Io, list, num, str } from '../verb.ts'
import { finish } from './finish.ts'

export async function startRun(args: Args, io: Io, prompt: Content | undefined): Promise<number> {
  const stop = new AbortController()
  const stream = flag(args, 'stream-json')
  const input = flag(args, 'stream-json-input')
    ? (await import('./input.ts')).inputLines(io.stdin, stop.signal)
    : undefined
  const isTerminal = !stream && io.stderr.isTTY && io.stdin.isTTY === true
  const silent = stream || flag(args, 'quiet') || flag(args, 'json')
  const shown = progress(io.stderr, { live: isTerminal, silent })
  const approvals = approver({
    terminal: isTerminal ? { input: io.stdin, output: io.stderr.stream } : undefined,
    broker: input,
    onAsk: str(args, 'on-ask') === 'fail' ? 'fail' : 'deny',
    fail: () => stop.abort(new Error('an approval was needed and nobody could give it')),
    quietly: shown.pause,
  })
  const started = Date.now()
  try {
    const asked = flags(args, io)
    const thread = await threadOf(args, io)
    const first = prompt ?? (await input?.first())
    if (first === undefined && !thread.resume && !io.signal.aborted) throw noTask()
    const ran = await run({
      ...asked,
      ...thread,
      signal: AbortSignal.any([io.signal, stop.signal]),
      prompt: first,
      ask: approvals.ask,
      terminal: isTerminal ? { stdin: io.stdin, stderr: io.stderr.stream } : undefined,
      show: (event) => {
        if (stream) io.stdout.write(`${JSON.stringify(event)}\n`)
        else shown.event(event)
      },
      inbox: async () => input?.take() ?? [],
      note: (text) => shown.note(text),
    })
    shown.done()
    const ms = Date.now() - started
    return await finish(ran, args, io, { denied: approvals.denied(), failed: approvals.failed(), ms })
  } finally {
    shown.done()
    input?.close()
  }
}

function flags(args: Args, io: Io) {
  const tokens = positive(args, 'budget-tokens')
  const usd = positive(args, 'budget-usd')
  const timeout = str(args, 'timeout')
  const tools = list(args, 'allow-tool').flatMap((names) => names.split(','))
  const approval = str(args, 'approval') ?? 'ask'
  return {
    cwd: io.cwd,
    env: io.env,
    mode: (approval === 'yolo' ? 'unrestricted' : approval) as Mode,
    addDirs: list(args, 'add-dir'),
    caps: {
      ...(tokens !== undefined && { tokens }),
      ...(usd !== undefined && { usd }),
      ...(timeout !== undefined && { deadline: Date.now() + duration(timeout) }),
    },
    ...(tools.length > 0 && { tools }),
    ...given('profile', str(args, 'profile')),
    ...given('model', str(args, 'model')),
    ...given('maxTurns', positive(args, 'max-turns')),
    ...given('label', str(args, 'run-label')),
    ...given('answers', str(args, 'answers')),
  }
}

/** Throws UserError for zero and below. */
function positive(args: Args, name: string): number | undefined {
  const value = num(args, name)
  if (value === undefined || value > 0) return value
  throw new UserError(`--${name} must be more than 0`, { exit: exit.usage })
}

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}

async function threadOf(args: Args, io: Io): Promise<Pick<RunOptions, 'resume'>> {
  const fork = str(args, 'fork')
  const [name, at] = fork === undefined ? [str(args, 'resume')] : fork.split('@')
  if (!name) return {}
  if (at !== undefined && !/^[1-9]\d*$/.test(at)) {
    throw new UserError(`--fork ${fork}: ${at} is not the number of an event`, {
      hint: 'the events of a thread count from 1; `anode threads search` shows the numbers',
      exit: exit.usage,
    })
  }
  const { id } = await withStore(io, (store) => findThread(store, name))
  return { resume: { thread: id, fork: fork !== undefined, ...(at !== undefined && { at: Number(at) }) } }
}
