// Reader of hooks.json of the user and of a trusted workspace.
import type { FileDiagnostic } from '../base/diagnostic.ts'
import { messageOf, UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import { parseJsonc } from '../base/text/jsonc.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import { isObject } from '../base/untrusted-json.ts'
import {
  foreignEvents,
  type HookCommand,
  type HookEvent,
  hookEvents,
  isHookEvent,
  refusableEvents,
  toolEvents,
} from './hook.ts'
import { matcherFault, readMatcher } from './tool-matcher.ts'

const keys = ['matcher', 'command', 'timeout', 'onError']

/** Keys of hooks of other programs that Anode ignores. Without them, a hook checks at least as many calls. */
const harmlessKeys: ReadonlySet<string> = new Set([
  ...['description', 'statusMessage', 'once', 'async', 'asyncRewake', 'if', 'name'],
])

const defaultTimeout = 30
const maxTimeout = 600

interface HookSet {
  readonly hooks: readonly HookCommand[]
  readonly diagnostics: readonly FileDiagnostic[]
}

/**
 * Loads the hooks of the files in the order of `paths`. A file is `{"<event>": [{"matcher"?, "command",
 * "timeout"?, "onError"?}]}`, comments allowed, or the form of other programs: `{"hooks": {"<event>":
 * [{"matcher"?, "hooks": [{"type": "command", "command", "timeout"?}]}]}}`. Matchers are checked against
 * `tools`, the names of all known tools. An invalid entry or file is a diagnostic of severity error: a guard
 * may be missing, so nothing may run. A missing file has no hooks.
 */
export async function loadHooks(paths: readonly string[], tools: readonly string[]): Promise<HookSet> {
  const hooks: HookCommand[] = []
  const diagnostics: FileDiagnostic[] = []
  for (const path of paths) {
    try {
      const text = readSmall(path)
      if (text === undefined) continue
      const hookSet = parseHooks(await parseJsonc(text), path, tools)
      hooks.push(...hookSet.hooks)
      diagnostics.push(...hookSet.diagnostics.map((one) => ({ ...one, where: placeOf(one, text) })))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      diagnostics.push({ severity: 'error', where: path, message: error.message })
    }
  }
  return { hooks, diagnostics }
}

/**
 * Returns the path of the file, with the line number of the event that the message names first, if that
 * line is found.
 */
function placeOf({ where, message }: FileDiagnostic, text: string): string {
  const event = /^(?:unknown event )?(\w+)/.exec(message)?.[1] ?? ''
  const line = text.split('\n').findIndex((one) => one.includes(`"${event}"`))
  return line < 0 ? where : `${where}:${line + 1}`
}

/**
 * Returns the hooks of a parsed file, and diagnostics. A diagnostic about one hook names its position, such
 * as `PreToolUse[0]`. Throws UserError for a value that is not an object.
 */
export function parseHooks(value: unknown, path: string, tools: readonly string[]): HookSet {
  if (!isObject(value)) throw new UserError('must be an object of events')
  const hooks: HookCommand[] = []
  const diagnostics: FileDiagnostic[] = []
  const say = (severity: FileDiagnostic['severity'], message: string) =>
    diagnostics.push({ severity, where: path, message })
  for (const [event, entries] of Object.entries(unwrapEvents(value))) {
    if (foreignEvents.has(event))
      say('warning', `${event} is an event of other programs, and has no effect here`)
    else if (!isHookEvent(event)) {
      const suggestion = suggestNames(event, hookEvents, 1) || `known are ${hookEvents.join(', ')}`
      say('error', `unknown event ${event}, ${suggestion}`)
    } else if (!Array.isArray(entries)) {
      say('error', `${event} must be a list of hooks`)
    } else {
      for (const [i, entry] of entries.flatMap(unnestEntry).entries()) {
        const problems = findEntryFaults(event, entry, tools)
        if (problems.length > 0) say('error', `${event}[${i}]: ${problems.join('; ')}`)
        else hooks.push(readHook(event, entry as HookEntry, path))
        if (problems.length === 0)
          for (const note of findEntryNotes(event, entry as HookEntry))
            say('warning', `${event}[${i}]: ${note}`)
      }
    }
  }
  return { hooks, diagnostics }
}

/** Returns the entries by event. In the format of other programs the events are below `hooks`. */
function unwrapEvents(value: Record<string, unknown>): Record<string, unknown> {
  if (!isObject(value.hooks)) {
    const { $schema: _, description: __, version: ___, ...events } = value
    return events
  }
  const { hooks, ...rest } = value
  // a file of another program may also contain settings, which are not lists, and hooks outside of `hooks`;
  // the hooks of one event in both places are joined
  const events: Record<string, unknown> = { ...hooks }
  for (const [key, value] of Object.entries(rest)) {
    if (!isHookEvent(key) && !Array.isArray(value)) continue
    const inner = events[key]
    events[key] = Array.isArray(inner) && Array.isArray(value) ? [...value, ...inner] : (inner ?? value)
  }
  return events
}

/** Returns one entry for each hook of an entry that contains a list and no command; else the entry itself. */
function unnestEntry(entry: unknown): unknown[] {
  if (!isObject(entry) || !Array.isArray(entry.hooks)) return [entry]
  const { hooks, ...outer } = entry
  // an entry that has both a command and a list stays whole, because its command would be lost
  if ('command' in outer) return [{ ...outer, hooks }]
  return hooks.map((hook: unknown) => {
    if (!isObject(hook)) return hook
    const { type, ...inner } = hook
    const merged = { ...outer, ...inner }
    return type === undefined || type === 'command' ? merged : { ...merged, type }
  })
}

interface HookEntry {
  matcher?: string
  command: string
  timeout?: number
  onError?: HookCommand['onError']
}

function readHook(
  event: HookEvent,
  { matcher, command, timeout, onError }: HookEntry,
  path: string,
): HookCommand {
  const scoped = matcher !== undefined && matcher !== '*' && matcher !== '' && toolEvents.has(event)
  return {
    event,
    matcher: scoped ? matcher : undefined,
    matches: scoped ? readMatcher(matcher) : undefined,
    command,
    timeout: Math.min(timeout ?? defaultTimeout, maxTimeout),
    // a crashed PreToolUse hook must not let the call pass
    onError: onError ?? (event === 'PreToolUse' ? 'deny' : 'warn'),
    path,
  }
}

function findEntryFaults(event: HookEvent, entry: unknown, tools: readonly string[]): string[] {
  if (!isObject(entry)) return ['must be an object with command']
  const problems: string[] = []
  for (const key of Object.keys(entry)) {
    if (!keys.includes(key) && !harmlessKeys.has(key)) {
      problems.push(`unknown key ${key}, ${suggestNames(key, keys, 1) || `known are ${keys.join(', ')}`}`)
    }
  }
  const { matcher, command, timeout, onError } = entry
  if (typeof command !== 'string' || command.trim() === '') problems.push('command must be a line for bash')
  if (matcher !== undefined) problems.push(...matcherFaults(event, matcher, tools))
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) {
    problems.push('timeout must be a number of seconds above 0')
  }
  if (onError !== undefined && onError !== 'warn' && onError !== 'deny')
    problems.push('onError must be warn or deny')
  return problems
}

function matcherFaults(event: HookEvent, matcher: unknown, tools: readonly string[]): string[] {
  if (typeof matcher !== 'string') return ['matcher must be a regular expression']
  if (matcher === '*' || matcher === '' || !toolEvents.has(event)) return []
  try {
    new RegExp(`^(?:${matcher})$`)
    return [matcherFault(matcher, tools) ?? []].flat()
  } catch (error) {
    return [`matcher is not a regular expression: ${messageOf(error)}`]
  }
}

function findEntryNotes(event: HookEvent, { matcher, timeout, onError }: HookEntry): string[] {
  const warnings: string[] = []
  if (matcher !== undefined && !toolEvents.has(event)) warnings.push('matcher has no effect on this event')
  if (onError === 'deny' && !refusableEvents.has(event))
    warnings.push('onError deny has no effect: nothing can be refused here')
  if ((timeout ?? 0) > maxTimeout) warnings.push(`timeout reduced from ${timeout} to ${maxTimeout}`)
  return warnings
}
