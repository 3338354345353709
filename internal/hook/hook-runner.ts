// Runner of an event's hooks that turns their output into a refusal or a warning.

import { messageOf } from '../base/errors.ts'
import { sandboxHint } from '../base/text/sandbox-hint.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { CommandOutcome, RunCommand, SandboxRequest } from '../process/process-command.ts'
import type { CallMiddleware } from '../tool/call-middleware.ts'
import { type HookCommand, type HookEvent, refusableEvents, stopEvents } from './hook.ts'

/** Environment in which hooks run. */
export interface HookHost {
  run: RunCommand
  /** The workspace; also passed to the hook. */
  cwd: string
  thread: string | undefined
  signal: AbortSignal
  /** Returns the sandbox for the hooks of a file. Default: hooks run with the user's permissions. */
  sandbox?(path: string): SandboxRequest | undefined
  /**
   * Called with a message for each hook that fails without a refusal, that refuses an event without effect,
   * or that is cancelled after more than a second because the session ends.
   */
  warn(message: string): void
}

/**
 * Fields of the JSON object on the command's standard input that depend on the event; the fields of all
 * events, such as `cwd`, are added to them.
 */
type HookPayload = Readonly<Record<string, unknown>>

/** A refusal with its reason `deny`. `isFinal` is true if the hook ends the run or has failed. */
interface HookRefusal {
  deny: string
  isFinal?: boolean
}

export interface SessionHooks {
  /**
   * Runs the hooks of an event in order and stops at the first refusal. Returns the refusal, or undefined. If
   * the event cannot be refused, a refusal is only a warning and the other hooks run. Never throws.
   */
  fire(event: HookEvent, payload: HookPayload): Promise<HookRefusal | undefined>
  /** Returns whether an event has hooks. A missing function means that no event has hooks. */
  has?(event: HookEvent): boolean
  /**
   * Functions that run the PreToolUse and PostToolUse hooks before and after each tool call. Undefined if
   * these events have no hooks.
   */
  readonly middleware: CallMiddleware | undefined
}

/** Returns the hooks of a session, which run in the environment `host`. */
export type HookBinder = (host: HookHost) => SessionHooks

/** Returns the hooks of a session, which run in the environment `host`. */
export function bindHooks(hooks: readonly HookCommand[], host: HookHost): SessionHooks {
  const fire = async (event: HookEvent, payload: HookPayload, tool?: string) => {
    for (const hook of hooks) {
      if (hook.event !== event || (tool !== undefined && hook.matches?.(tool) === false)) continue
      const denial = await runHook(hook, payload, host)
      if (denial === undefined) continue
      if (refusableEvents.has(event)) return denial
      host.warn(`a hook for ${event} refused, which has no effect here: ${denial.deny} (${hook.path})`)
    }
    return undefined
  }
  const wants = (event: HookEvent) => hooks.some((hook) => hook.event === event)
  const middleware: CallMiddleware = {}
  if (wants('PreToolUse')) middleware.before = (tool, args) => fire('PreToolUse', { tool, args }, tool)
  if (wants('PostToolUse')) {
    middleware.after = async (tool, args, { text, data, failed }) => {
      await fire(
        'PostToolUse',
        { tool, args, result: { ok: failed === undefined, text, data, failed } },
        tool,
      )
    }
  }
  return { fire, has: wants, middleware: middleware.before || middleware.after ? middleware : undefined }
}

/**
 * Milliseconds after which a hook counts as slow. If the end of the session cancels a slow hook, a warning
 * names the hook.
 */
const slowMs = 1_000
const formatSeconds = (ms: number) => (ms / 1000).toFixed(1)
const nameOf = ({ command, event }: HookCommand) => `the hook \`${command}\` for ${event}`

/**
 * Runs one hook. Returns its refusal, or undefined if it allows the event or its failure is only a warning.
 * A hook that hangs is stopped at its timeout and counts as failed. A cancelled hook refuses if the event
 * can be refused.
 */
async function runHook(
  hook: HookCommand,
  payload: HookPayload,
  host: HookHost,
): Promise<HookRefusal | undefined> {
  const { event, command, timeout, path } = hook
  const sandbox = host.sandbox?.(path)
  const fail = (why: string) => {
    const opens = 'move it to your own hooks file, which runs without a sandbox'
    const hint = sandbox ? `\n${sandboxHint('the hook', opens)}` : ''
    const what = `${nameOf(hook)} ${why} (${path})${hint}`
    if (hook.onError === 'deny' && refusableEvents.has(event))
      return { deny: `${what}; it is set to refuse when it fails`, isFinal: true }
    host.warn(what)
    return undefined
  }
  let outcome: CommandOutcome
  try {
    outcome = await host.run({
      file: 'bash',
      args: ['-c', command],
      cwd: host.cwd,
      input: JSON.stringify({ ...fieldsOf(event, payload, host), ...payload }),
      timeoutMs: timeout * 1000,
      sandbox,
      // SessionEnd hooks get no signal, because they also run after an interrupted session
      signal: event === 'SessionEnd' ? undefined : host.signal,
    })
  } catch (error) {
    return fail(`could not be started: ${messageOf(error)}`)
  }
  if (outcome.ended === 'timeout') return fail(`took longer than ${timeout} s and was ended`)
  // the session cancels its hooks at its end, so an action that can be refused is refused
  if (outcome.ended === 'cancelled') {
    if (outcome.ms > slowMs)
      host.warn(`${nameOf(hook)} was ended after ${formatSeconds(outcome.ms)} s (${path})`)
    return refusableEvents.has(event) ? { deny: 'cancelled' } : undefined
  }
  const read = (output: unknown) => reasonOf(output, stopEvents.has(event) ? maxStopReason : undefined)
  if (outcome.exit === 2) return { deny: read(outcome.stderr.text) ?? read(outcome.stdout.text) ?? noReason }
  const refusal = refusalIn(outcome.stdout.text, read)
  if (refusal !== undefined) return refusal
  if (outcome.exit === 0) return undefined
  const how =
    outcome.exit === null ? `was ended by ${outcome.signal}` : `ended with exit code ${outcome.exit}`
  const words = reasonOf(outcome.stderr.text)
  return fail(words === undefined ? how : `${how}: ${words}`)
}

/**
 * Returns the fields that every hook gets, and for an event about a tool call those of the call. The fields
 * from `hook_event_name` on have the names that hooks of other programs expect.
 */
function fieldsOf(event: HookEvent, { tool, args }: HookPayload, { cwd, thread }: HookHost): HookPayload {
  const fields = (typeof args === 'object' && args !== null ? args : {}) as HookPayload
  const path = fields.path ?? fields.file_path
  const command = commandIn(fields)
  return {
    event,
    cwd,
    thread: thread ?? null,
    hook_event_name: event,
    session_id: thread ?? null,
    workspace_root: cwd,
    tool_name: tool,
    tool_args: tool === undefined ? undefined : args,
    tool_input: tool === undefined ? undefined : args,
    file_path: typeof path === 'string' ? path : undefined,
    command,
  }
}

/**
 * Returns the command lines that a call of any tool runs or types into a terminal, one on each line;
 * undefined if its arguments have none.
 */
function commandIn({ command, commands, input }: HookPayload): string | undefined {
  if (Array.isArray(commands))
    return commands
      .map((one) => (isObject(one) && typeof one.command === 'string' ? one.command : ''))
      .join('\n')
  return [command, input].find((one) => typeof one === 'string') as string | undefined
}

const noReason = 'a hook refused without giving a reason'

/**
 * Largest reason in characters. The reason of a refused stop may be longer, because it can contain the end of
 * a test's output.
 */
const maxReason = 500
const maxStopReason = 5000

/**
 * Returns a text without outer white space and with at most `limit` characters, or undefined if it is blank
 * or not a text.
 */
function reasonOf(text: unknown, limit = maxReason): string | undefined {
  const output = typeof text === 'string' ? text.trim() : ''
  return output === '' ? undefined : output.length > limit ? `${output.slice(0, limit - 1)}…` : output
}

/**
 * Returns the refusal if the output refuses the action, in Anode's format or in that of Claude Code, also by
 * the decisions `ask` and `defer`, or if it contains an unknown decision. Returns undefined otherwise.
 */
function refusalIn(text: string, read: typeof reasonOf): HookRefusal | undefined {
  for (const answer of findObjects(text)) {
    const hookOutput = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
    const decision = hookOutput.permissionDecision ?? answer.permissionDecision ?? answer.decision
    const reason =
      hookOutput.permissionDecisionReason ?? answer.reason ?? answer.stopReason ?? answer.systemMessage
    if (answer.continue === false)
      return { deny: read(answer.stopReason ?? reason) ?? noReason, isFinal: true }
    // a hook with the decision `ask` wants a question to the user, which is impossible here, so the
    // call is denied
    if (/^(?:deny|block|ask|defer)$/.test(String(decision))) return { deny: read(reason) ?? noReason }
    if (/^(?:deny|block)$/.test(String(answer.decision))) return { deny: read(reason) ?? noReason }
    if (decision !== undefined && !/^(?:allow|approve)$/.test(String(decision)))
      return { deny: `a hook gave an unknown decision: ${read(JSON.stringify(decision)) ?? ''}` }
  }
  return undefined
}

/** Returns the JSON objects that are the output or begin one of its lines, because hooks also print logs. */
function findObjects(text: string): Record<string, unknown>[] {
  const objects: Record<string, unknown>[] = []
  const take = (part: string) => {
    try {
      const value: unknown = JSON.parse(part)
      if (isObject(value)) objects.push(value)
      return true
    } catch {
      // the part is a log line, or the beginning of an object that spans lines
      return false
    }
  }
  if (take(text)) return objects
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    if (!line.trimStart().startsWith('{') || take(line)) continue
    const ends = lines.flatMap((one, at) => (at > i && one.trimEnd().endsWith('}') ? [at] : [])).slice(-20)
    for (const end of ends) if (take(lines.slice(i, end + 1).join('\n'))) break
  }
  return objects
}
