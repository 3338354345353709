// Reads hooks.json of the user and of a trusted workspace.
import type { FileDiagnostic } from '../base/diagnostic.ts'
import { messageOf, UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/small-file.ts'
import { parseJsonc } from '../base/text/jsonc.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import { isObject } from '../base/untrusted-json.ts'
import { type HookCommand, type HookEvent, hookEvents, refusableEvents, toolEvents } from './hook.ts'

const keys = ['matcher', 'command', 'timeout', 'onError']
const defaultTimeout = 30
const maxTimeout = 600

interface HookSet {
  readonly hooks: readonly HookCommand[]
  readonly diagnostics: readonly FileDiagnostic[]
}

/**
 * Hooks of all files in the order given: the user's first, then the workspace's (only when it is trusted).
 * A file is `{"<event>": [{"matcher"?, "command", "timeout"?, "onError"?}]}`, comments allowed, or the form
 * of other programs: `{"hooks": {"<event>": [{"matcher"?, "hooks": [{"type": "command", "command",
 * "timeout"?}]}]}}`. An entry that cannot be used is left out with a diagnostic; a file that does not exist
 * has no hooks.
 */
export async function loadHooks(paths: readonly string[]): Promise<HookSet> {
  const hooks: HookCommand[] = []
  const diagnostics: FileDiagnostic[] = []
  for (const path of paths) {
    try {
      const text = readSmall(path)
      if (text === undefined) continue
      const found = parseHooks(await parseJsonc(text), path)
      hooks.push(...found.hooks)
      diagnostics.push(...found.diagnostics)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      diagnostics.push({ severity: 'error', where: path, message: error.message })
    }
  }
  return { hooks, diagnostics }
}

/** Makes hooks of a parsed file; what is wrong with an entry names its place, such as `PreToolUse[0]`. */
export function parseHooks(value: unknown, path: string): HookSet {
  if (!isObject(value)) throw new UserError('must be an object of events')
  const hooks: HookCommand[] = []
  const diagnostics: FileDiagnostic[] = []
  const say = (severity: FileDiagnostic['severity'], message: string) =>
    diagnostics.push({ severity, where: path, message })
  for (const [event, entries] of Object.entries(unwrap(value))) {
    if (!isEvent(event)) {
      const known = suggestNames(event, hookEvents, 1) || `known are ${hookEvents.join(', ')}`
      say('error', `unknown event ${event}, ${known}`)
    } else if (!Array.isArray(entries)) {
      say('error', `${event} must be a list of hooks`)
    } else {
      for (const [i, entry] of entries.flatMap(unnest).entries()) {
        const problems = faults(entry)
        if (problems.length > 0) say('error', `${event}[${i}]: ${problems.join('; ')}`)
        else hooks.push(readHook(event, entry as Entry, path))
        if (problems.length === 0)
          for (const note of notes(event, entry as Entry)) say('warning', `${event}[${i}]: ${note}`)
      }
    }
  }
  return { hooks, diagnostics }
}

/** The events, also where they stand below `hooks` as in the form of other programs. */
function unwrap(value: Record<string, unknown>): Record<string, unknown> {
  if (!isObject(value.hooks)) return value
  const { hooks, ...rest } = value
  // beside the hooks such a file may hold settings that are nothing to us
  const own = Object.entries(rest).filter(([key]) => isEvent(key))
  return { ...Object.fromEntries(own), ...hooks }
}

/** An entry with a list of hooks as one entry for each of them. */
function unnest(entry: unknown): unknown[] {
  if (!isObject(entry) || !Array.isArray(entry.hooks)) return [entry]
  const { hooks, ...outer } = entry
  return hooks.map((hook: unknown) => {
    if (!isObject(hook)) return hook
    const { type, ...inner } = hook
    return { ...outer, ...inner, ...(type !== undefined && type !== 'command' && { type }) }
  })
}

interface Entry {
  matcher?: string
  command: string
  timeout?: number
  onError?: HookCommand['onError']
}

function readHook(
  event: HookEvent,
  { matcher, command, timeout, onError }: Entry,
  path: string,
): HookCommand {
  const scoped = matcher !== undefined && matcher !== '*' && matcher !== '' && toolEvents.has(event)
  return {
    event,
    ...(scoped ? { matcher: new RegExp(`^(?:${matcher})$`) } : {}),
    command,
    timeout: Math.min(timeout ?? defaultTimeout, maxTimeout),
    // who guards calls with a hook does not mean them to pass when it breaks
    onError: onError ?? (event === 'PreToolUse' ? 'deny' : 'warn'),
    path,
  }
}

function faults(entry: unknown): string[] {
  if (!isObject(entry)) return ['must be an object with command']
  const found: string[] = []
  for (const key of Object.keys(entry)) {
    if (!keys.includes(key)) {
      found.push(`unknown key ${key}, ${suggestNames(key, keys, 1) || `known are ${keys.join(', ')}`}`)
    }
  }
  const { matcher, command, timeout, onError } = entry
  if (typeof command !== 'string' || command.trim() === '') found.push('command must be a line for bash')
  if (matcher !== undefined) found.push(...matcherFaults(matcher))
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) {
    found.push('timeout must be a number of seconds above 0')
  }
  if (onError !== undefined && onError !== 'warn' && onError !== 'deny')
    found.push('onError must be warn or deny')
  return found
}

function matcherFaults(matcher: unknown): string[] {
  if (typeof matcher !== 'string') return ['matcher must be a regular expression']
  if (matcher === '*') return []
  try {
    new RegExp(`^(?:${matcher})$`)
    return []
  } catch (error) {
    return [`matcher is not a regular expression: ${messageOf(error)}`]
  }
}

function notes(event: HookEvent, { matcher, timeout, onError }: Entry): string[] {
  const found: string[] = []
  if (matcher !== undefined && !toolEvents.has(event)) found.push('matcher has no effect on this event')
  if (onError === 'deny' && !refusableEvents.has(event))
    found.push('onError deny has no effect: nothing can be refused here')
  if ((timeout ?? 0) > maxTimeout) found.push(`timeout reduced from ${timeout} to ${maxTimeout}`)
  return found
}

const isEvent = (name: string): name is HookEvent => (hookEvents as readonly string[]).includes(name)
