// The start of a run from parsed flags, and the output and exit code at its end.

import { UserError } from '../../../internal/base/errors.ts'
import { objectOf, parseJson } from '../../../internal/base/untrusted-json.ts'
import type { MessageContent } from '../../../internal/model/model.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { RelaySettings } from '../../../internal/runtime/relay/relay-settings.ts'
import { runHeadless } from '../../../internal/runtime/run/headless-run.ts'
import type { RunOptions } from '../../../internal/runtime/run/run-options.ts'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { features } from '../../../internal/service/features/index.ts'
import { type ApprovalChannels, openApprover } from '../../../internal/tui/approval/approver.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { openRunView, progressLook } from '../../../internal/tui/run-view/run-view.ts'
import { positiveArg, readApproval } from '../flags.ts'
import { findAgentThread } from '../threads/thread-access.ts'
import { readUntil } from '../until-flags.ts'
import { untilOptions } from '../until-options.ts'
import {
  type CommandArgs,
  type CommandIo,
  flagArg,
  listArg,
  readSandbox,
  readToolset,
  stringArg,
} from '../verb.ts'
import { printRunResult } from './run-result.ts'
import type { RunOutput, RunScreen } from './run-screen.ts'
import { noTaskError } from './task-text.ts'

export async function startRun(
  args: CommandArgs,
  io: CommandIo,
  prompt: MessageContent | undefined,
): Promise<number> {
  const stop = new AbortController()
  const interrupt = () => stop.abort(new Error('SIGINT'))
  const stream = flagArg(args, 'stream-json')
  const input = flagArg(args, 'stream-json-input')
    ? (await import('./json-input.ts')).openJsonInput(io.stdin, stop.signal, (why) =>
        io.stderr.write(`anode: ${why}\n`),
      )
    : undefined
  const isTerminal = !stream && io.stderr.isTTY && io.stdin.isTTY === true
  const silent = stream || flagArg(args, 'quiet') || flagArg(args, 'json')
  const screen = silent ? undefined : await openScreen(args, io)
  const runOutput = screen ?? (silent ? undefined : openProgress(io.stderr))
  const approvals = openApprovals({
    terminal: isTerminal ? { input: io.stdin, output: io.stderr.stream, env: io.env } : undefined,
    broker: input,
    onAsk: stringArg(args, 'on-ask') === 'fail' ? 'fail' : 'deny',
    fail: () => stop.abort(new Error('an approval was needed, and no user could give it')),
    interrupt,
    quietly: () => runOutput?.pause() ?? (() => undefined),
  })
  const started = Date.now()
  try {
    const runFlags = readRunFlags(args, io)
    const thread = await threadOf(args, io)
    const first = prompt ?? (await input?.first())
    if (first === undefined && !io.signal.aborted) await assertUnfinished(thread.resume, io)
    const ran = await runHeadless({
      features,
      ...runFlags,
      ...thread,
      signal: AbortSignal.any([io.signal, stop.signal]),
      prompt: first,
      ask: approvals.ask,
      onUnanswered: approvals.giveUp,
      terminal: isTerminal ? { stdin: io.stdin, stderr: io.stderr.stream, interrupt } : undefined,
      show: (event) => {
        if (stream) io.stdout.write(`${jsonLine(event)}\n`)
        else runOutput?.event(event)
      },
      staysOpen: input !== undefined,
      interruption: input?.arrival,
      // If answers to the agent's questions were given in advance by a flag, no answer is read
      // from the input.
      awaitAnswer: input && runFlags.answers === undefined ? input.awaitAnswer : undefined,
      inbox: async (isIdle) => (isIdle ? await input?.next() : input?.take()) ?? [],
      note: (text) => runOutput?.note(text),
    })
    runOutput?.done()
    const ms = Date.now() - started
    return await printRunResult(ran, args, io, { failed: approvals.failed(), ms, screen })
  } finally {
    runOutput?.done()
    input?.close()
  }
}

/**
 * Returns an approver that is created only when the first call needs approval, because most runs need none.
 */
function openApprovals(channels: ApprovalChannels): ReturnType<typeof openApprover> {
  let opened: ReturnType<typeof openApprover> | undefined
  const open = () => {
    opened ??= openApprover(channels)
    return opened
  }
  return {
    ask: (request) => open().ask(request),
    giveUp: () => open().giveUp(),
    failed: () => opened?.failed() ?? false,
  }
}

/** Returns an output that prints the progress of a run as plain lines, for a run without a terminal. */
function openProgress(err: CommandIo['stderr']): RunOutput {
  const run = openRunView(progressLook)
  const print = (line: string) => err.write(`${line}\n`)
  return {
    event(event) {
      for (const line of run.take(event).lines) print(line)
    },
    note: (text) => void print(`note: ${sanitizeText(text)}`),
    pause: () => () => undefined,
    done: () => undefined,
  }
}

/**
 * Opens the screen of a run; undefined if neither standard output nor standard error is a terminal. The code
 * that draws on a terminal is loaded only if there is one.
 */
async function openScreen(args: CommandArgs, io: CommandIo): Promise<RunScreen | undefined> {
  if (!io.stdout.isTTY && !io.stderr.isTTY) return undefined
  const { openRunScreen } = await import('./run-screen.ts')
  const color = stringArg(args, 'color') as 'auto' | 'always' | 'never' | undefined
  return openRunScreen({ out: io.stdout, err: io.stderr, env: io.env, color })
}

function readRunFlags(args: CommandArgs, io: CommandIo) {
  const tokens = positiveArg(args, 'budget-tokens')
  const usd = positiveArg(args, 'budget-usd')
  const timeout = stringArg(args, 'timeout')
  const tools = listArg(args, 'allow-tool').flatMap((names) => names.split(',').filter(Boolean))
  const approval = stringArg(args, 'approval') ?? 'ask'
  return {
    cwd: io.cwd,
    env: io.env,
    mode: readApproval(approval),
    addDirs: listArg(args, 'add-dir'),
    ...readSandbox(args),
    caps: { tokens, usd, deadline: timeout === undefined ? undefined : Date.now() + parseDuration(timeout) },
    tools: tools.length > 0 ? tools : undefined,
    plan: flagArg(args, 'plan') ? true : undefined,
    profile: stringArg(args, 'profile'),
    model: stringArg(args, 'model'),
    maxTurns: positiveArg(args, 'max-turns'),
    label: stringArg(args, 'run-label'),
    answers: stringArg(args, 'answers'),
    toolset: readToolset(args),
    relay: readRelay(args),
    goal: Object.keys(untilOptions).some((name) => name in args) ? readUntil(args) : undefined,
  }
}

async function threadOf(args: CommandArgs, io: CommandIo): Promise<Pick<RunOptions, 'resume'>> {
  const fork = stringArg(args, 'fork')
  const [name, at] = fork === undefined ? [stringArg(args, 'resume')] : fork.split('@')
  if (!name) return {}
  if (at !== undefined && !/^[1-9]\d*$/.test(at)) {
    throw new UserError(`--fork ${fork}: ${at} is not the number of an event`, {
      hint: 'the events of a thread count from 1; `anode threads search` shows the numbers',
    })
  }
  const { id } = await withDataStore(io.env, (store) => findAgentThread(store, name, io.cwd))
  return { resume: { thread: id, fork: fork !== undefined, at: at === undefined ? undefined : Number(at) } }
}

/**
 * Returns a value as JSON without control characters for a terminal. JSON itself does not escape the
 * characters DEL and C1.
 */
const jsonLine = (value: unknown) =>
  JSON.stringify(value).replace(/[\x7f-\x9f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)

type RelayOrigin = NonNullable<RelaySettings['origin']>

const places = ['source', 'user', 'session', 'thread'] as const

/**
 * Returns the settings of the relay, which passes questions to the user on another device; undefined without
 * the flags `--relay` and `--relay-origin`. Throws UserError for an invalid origin, and if only one of the
 * two flags is given.
 */
function readRelay(args: CommandArgs): RelaySettings | undefined {
  const mcp = stringArg(args, 'relay')
  const origin = stringArg(args, 'relay-origin')
  if (mcp === undefined && origin === undefined) return undefined
  if (mcp === undefined || origin === undefined)
    throw new UserError('--relay and --relay-origin belong together', {
      hint: 'a channel is asked where a message came from',
    })
  return { mcp, origin: readOrigin(origin) }
}

function readOrigin(text: string): RelayOrigin {
  const value = objectOf(parseJson(text))
  const isPlace = (name: string) => (places as readonly string[]).includes(name)
  const fits = value && Object.entries(value).every(([name, one]) => isPlace(name) && typeof one === 'string')
  if (fits && Object.keys(value).length > 0) return value as RelayOrigin
  throw new UserError(`--relay-origin ${text} is not an origin`, {
    hint: `an object of texts with ${places.join(', ')}, such as {"session":"C042"}`,
  })
}

/**
 * Throws UserError without a thread to resume, or if its last run is done, because the model would then only
 * repeat the last answer. A fork (a copy of the thread) is always accepted.
 */
async function assertUnfinished(
  resume: RunOptions['resume'],
  { env }: Pick<CommandIo, 'env'>,
): Promise<void> {
  if (!resume) throw noTaskError()
  const { thread, fork } = resume
  if (fork) return
  const last = await withDataStore(env, ({ threads }) =>
    threads.tail(thread, 1, ['run.ended', 'message', 'system.init']).at(-1),
  )
  if (last?.type !== 'run.ended' || last.payload.end !== 'done') return
  throw new UserError('no message was given, and the last run of the thread is done', {
    hint: `anode execute --resume ${thread} "what to do next"; anode threads show ${thread} shows the answer`,
  })
}
