// From parsed flags to a run, and from its end to what is printed and the exit code.
import { UserError } from '../../../internal/base/errors.ts'
import { run } from '../../../internal/host/run.ts'
import type { RunOptions } from '../../../internal/host/run-options.ts'
import type { Content } from '../../../internal/model/model.ts'
import { readMode } from '../../../internal/policy/level.ts'
import { approver } from '../../../internal/tui/approve.ts'
import { progress } from '../../../internal/tui/progress.ts'
import type { RunScreen } from '../../../internal/tui/run-screen.ts'
import { duration, noTask } from '../execute.ts'
import { exit } from '../exit.ts'
import { findAgentThread, withStore } from '../threads/open.ts'
import { type Args, flag, type Io, list, num, str } from '../verb.ts'
import { finish } from './finish.ts'

export async function startRun(args: Args, io: Io, prompt: Content | undefined): Promise<number> {
  const stop = new AbortController()
  const interrupt = () => stop.abort(new Error('SIGINT'))
  const stream = flag(args, 'stream-json')
  const input = flag(args, 'stream-json-input')
    ? (await import('./input.ts')).inputLines(io.stdin, stop.signal, (why) =>
        io.stderr.write(`anode: ${why}\n`),
      )
    : undefined
  const isTerminal = !stream && io.stderr.isTTY && io.stdin.isTTY === true
  const silent = stream || flag(args, 'quiet') || flag(args, 'json')
  const screen = silent ? undefined : await openScreen(args, io)
  const shown = screen ?? progress(io.stderr, { silent })
  const approvals = approver({
    terminal: isTerminal ? { input: io.stdin, output: io.stderr.stream, env: io.env } : undefined,
    broker: input,
    onAsk: str(args, 'on-ask') === 'fail' ? 'fail' : 'deny',
    fail: () => stop.abort(new Error('an approval was needed and nobody could give it')),
    interrupt,
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
      terminal: isTerminal ? { stdin: io.stdin, stderr: io.stderr.stream, interrupt } : undefined,
      show: (event) => {
        if (stream) io.stdout.write(`${JSON.stringify(event)}\n`)
        else shown.event(event)
      },
      staysOpen: input !== undefined,
      inbox: async (isIdle) => (isIdle ? await input?.next() : input?.take()) ?? [],
      note: (text) => shown.note(text),
    })
    shown.done()
    const ms = Date.now() - started
    return await finish(ran, args, io, { failed: approvals.failed(), ms, screen })
  } finally {
    shown.done()
    input?.close()
  }
}

/** Where nobody looks nothing of it is loaded. */
async function openScreen(args: Args, io: Io): Promise<RunScreen | undefined> {
  if (!io.stdout.isTTY && !io.stderr.isTTY) return undefined
  const { openRunScreen } = await import('../../../internal/tui/run-screen.ts')
  const color = str(args, 'color') as 'auto' | 'always' | 'never' | undefined
  return openRunScreen({ out: io.stdout, err: io.stderr, env: io.env, color })
}

function flags(args: Args, io: Io) {
  const tokens = positive(args, 'budget-tokens')
  const usd = positive(args, 'budget-usd')
  const timeout = str(args, 'timeout')
  const tools = list(args, 'allow-tool').flatMap((names) => names.split(',').filter(Boolean))
  const approval = str(args, 'approval') ?? 'ask'
  return {
    cwd: io.cwd,
    env: io.env,
    mode: readMode(approval),
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
  const { id } = await withStore(io, (store) => findAgentThread(store, name, io.cwd))
  return { resume: { thread: id, fork: fork !== undefined, ...(at !== undefined && { at: Number(at) }) } }
}
