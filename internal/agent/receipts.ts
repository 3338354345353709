// The recorded actions of an agent: files read and changed, commands and exit codes. Also the notices about
// changed files that control later runs: instructions that agents read, and configuration that programs obey.
import { relative } from 'node:path'
import { leadsOutside } from '../base/dirs.ts'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { countNoun } from '../base/text/count-noun.ts'
import type { EventDraft, EventPayload } from '../event/event.ts'
import type { CallScope } from '../policy/level.ts'
import { guardedName, instructionName } from '../policy/paths/sensitive-names.ts'
import type { PathRoots } from '../policy/policy.ts'
import type { ActivityReceipts } from '../tool/activity-receipts.ts'

/**
 * Returns true if later sessions or other programs take instructions or settings from a file of this name,
 * such as AGENTS.md.
 */
const isObeyed = (path: string) => instructionName(path) !== undefined || guardedName(path) !== undefined

/** Tools that search their paths instead of reading them. */
const searchTools: ReadonlySet<string> = new Set(['grep', 'glob', 'finder', 'fs_list'])

export interface ActivityRecord {
  /**
   * Adds the actions in one event of the run, such as the result of a call, a written file, or the end of a
   * subagent with its actions.
   */
  add(draft: EventDraft): void
  /**
   * Adds changed files whose content later sessions or other programs obey. The caller passes only files that
   * a process outside of all calls changed. Returns those that were not recorded before.
   */
  addObeyed(paths: readonly string[]): string[]
  /**
   * Returns the recorded files and commands. Each list contains a path once, in order of first use; a
   * repeated command appears again.
   */
  receipts(): ActivityReceipts
  turns(): number
  calls(): number
  /** Returns the number of calls that did not fail. */
  succeeded(): number
}

/**
 * Returns a record of actions. Paths of files that a command changed are relative to `workspace`, a real
 * path, unless they are outside of it. `included` contains files whose text is part of the instructions,
 * although their names are not those of instruction files.
 */
export function recordActivity(workspace?: string, included?: ReadonlySet<string>): ActivityRecord {
  const open = new Map<string, readonly CallScope[]>()
  const read = new Set<string>()
  const searched = new Set<string>()
  const searches = new Set<string>()
  const changed = new Set<string>()
  const obeyed = recordObeyed(included)
  const commands: ActivityReceipts['commands'] = []
  let turns = 0
  let calls = 0
  let succeeded = 0
  const addAll = ({ read: paths, ...done }: ActivityReceipts) => {
    addTo(read, paths)
    addTo(searched, done.searched)
    addTo(changed, done.changed)
    addTo(obeyed.names, done.obeyed)
    commands.push(...done.commands)
  }
  // written files are added only for commands, because the paths of other calls come from their scope
  const addWritten = ({ call, path }: EventPayload<'file.written'>) => {
    const name = nameFrom(workspace, path)
    const isCommand = open.get(call)?.some(({ kind }) => kind === 'command') === true
    if (isCommand) changed.add(name)
    obeyed.written(call, { path, name, isCommand })
  }
  return {
    add(draft) {
      if (draft.type === 'message' && draft.payload.role === 'assistant') turns++
      if (draft.type === 'tool.call') {
        open.set(draft.payload.call, draft.payload.scope ?? [])
        if (searchTools.has(draft.payload.tool)) searches.add(draft.payload.call)
      }
      if (draft.type === 'child.ended' && draft.payload.end.receipts) addAll(draft.payload.end.receipts)
      if (draft.type === 'file.written') addWritten(draft.payload)
      if (draft.type !== 'tool.result') return
      calls++
      const { call, ok } = draft.payload
      if (ok) succeeded++
      obeyed.ended(call, ok)
      for (const scope of open.get(call) ?? []) {
        if (scope.kind === 'command') commands.push(readCommand(scope.line, draft.payload))
        // a failed call changed no file and showed none, so its paths are not recorded
        const viewedPaths = searches.has(call) ? searched : read
        if (scope.kind === 'path' && ok) (scope.access === 'write' ? changed : viewedPaths).add(scope.path)
      }
      open.delete(call)
    },
    addObeyed: (paths) => obeyed.addAll(paths.map((path) => nameFrom(workspace, path))),
    receipts: () => ({
      read: [...read],
      searched: searched.size > 0 ? [...searched] : undefined,
      changed: [...changed],
      commands,
      obeyed: obeyed.names.size > 0 ? [...obeyed.names] : undefined,
    }),
    turns: () => turns,
    calls: () => calls,
    succeeded: () => succeeded,
  }
}

function nameFrom(workspace: string | undefined, path: string): string {
  const inside = workspace === undefined ? path : relative(workspace, path)
  return leadsOutside(inside) ? path : inside
}

function addTo(all: Set<string>, paths: readonly string[] = []): void {
  for (const path of paths) all.add(path)
}

/** Records changed files whose content later sessions and other programs obey, such as instruction files. */
function recordObeyed(included: ReadonlySet<string> | undefined) {
  const names = new Set<string>()
  const planned = new Map<string, string[]>()
  return {
    names,
    addAll(paths: readonly string[]): string[] {
      const fresh = paths.filter((name) => !names.has(name))
      addTo(names, fresh)
      return fresh
    },
    written(call: string, file: { path: string; name: string; isCommand: boolean }) {
      if (!isObeyed(file.name) && !included?.has(file.path)) return
      // a tool records a file before it writes it, so the file counts only once the call has succeeded;
      // a command records a file after it has written it
      if (file.isCommand) names.add(file.name)
      else planned.set(call, [...(planned.get(call) ?? []), file.name])
    },
    ended(call: string, ok: boolean) {
      for (const name of (ok && planned.get(call)) || []) names.add(name)
      planned.delete(call)
    },
  }
}

function readCommand(command: string, { exit, pipe, pipes, data }: EventPayload<'tool.result'>) {
  const end = exit ?? exitsOf(data).get(command) ?? null
  return { command, exit: end, pipe, pipes }
}

/** Returns the exit codes of a call with several commands, by command. */
function exitsOf(data: unknown): ReadonlyMap<string, number> {
  const { commands } = (data ?? {}) as { commands?: unknown }
  const ends = Array.isArray(commands) ? (commands as { command?: unknown; exit?: unknown }[]) : []
  return new Map(
    ends.flatMap(({ command, exit }) =>
      typeof command === 'string' && typeof exit === 'number' ? [[command, exit] as const] : [],
    ),
  )
}

/** Largest number of files that a notice lists. Others are only counted. */
const maxListed = 20

/** Types of events before which changes by background jobs are searched. */
const comparing: ReadonlySet<EventDraft['type']> = new Set(['tool.call', 'job.ended', 'run.ended'])

/**
 * Returns notices about changed files that agents or programs obey later, such as instructions. They are
 * recorded before `draft`. During a run they list the files that background jobs and terminals newly changed;
 * at its end, all such files that the run changed. Empty for most events.
 */
export function noticeObeyed(
  draft: EventDraft,
  activity: ActivityRecord,
  background: { changes(isWanted: (path: string) => boolean): string[] } | undefined,
  roots: PathRoots | undefined,
): EventDraft[] {
  if (!comparing.has(draft.type)) return []
  const paths = background?.changes((path) => isObeyedPath(path, roots)) ?? []
  const fresh = activity.addObeyed(paths)
  if (draft.type !== 'run.ended')
    return fresh.length === 0 ? [] : [createNotice('a background command changed', fresh)]
  const { obeyed } = activity.receipts()
  return obeyed ? [createNotice('this run changed', obeyed)] : []
}

function isObeyedPath(path: string, roots: PathRoots | undefined): boolean {
  if (roots?.instructions?.has(path)) return true
  const name = roots === undefined ? path : relative(roots.workspace, path)
  return isObeyed(leadsOutside(name) ? path : name)
}

function createNotice(what: string, paths: readonly string[]): EventDraft {
  const more = paths.length - maxListed
  const names = paths.slice(0, maxListed).map((path) => stripControlCharacters(path))
  const rest = more > 0 ? ` and ${countNoun(more, 'more file')}` : ''
  const text = `${what} files that agents or programs obey later: ${names.join(', ')}${rest}; check them`
  return { type: 'model.notice', payload: { code: 'obeyed', text } }
}
