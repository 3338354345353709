// What an agent really did, gathered from the record of its calls: files read and changed, commands and exit
// codes.
import { relative } from 'node:path'
import type { EventDraft, EventPayload } from '../event/event.ts'
import type { CallScope } from '../policy/level.ts'
import type { ActivityReceipts } from '../tool/activity-receipts.ts'

/** A path that one of these was given was looked through, not read. */
const searchTools: ReadonlySet<string> = new Set(['grep', 'glob', 'finder', 'fs_list'])

interface ActivityRecord {
  /** Takes in one event; calls and results find each other by the call's id. */
  add(draft: EventDraft): void
  /** Paths as the calls named them, each once, in order of first use. */
  receipts(): ActivityReceipts
  turns(): number
  calls(): number
  /** Calls that did not fail. */
  succeeded(): number
}

/** `workspace`: real path that files which a command changed are named from. */
export function recordActivity(workspace?: string): ActivityRecord {
  const open = new Map<string, readonly CallScope[]>()
  const read = new Set<string>()
  const searched = new Set<string>()
  const searches = new Set<string>()
  const changed = new Set<string>()
  const commands: ActivityReceipts['commands'] = []
  let turns = 0
  let calls = 0
  let succeeded = 0
  const addAll = (done: ActivityReceipts) => {
    for (const path of done.read) read.add(path)
    for (const path of done.searched ?? []) searched.add(path)
    for (const path of done.changed) changed.add(path)
    commands.push(...done.commands)
  }
  /** The paths of other calls are those of their scope. */
  const addWritten = ({ call, path }: EventPayload<'file.written'>) => {
    if (!open.get(call)?.some(({ kind }) => kind === 'command')) return
    const inside = workspace === undefined ? path : relative(workspace, path)
    changed.add(inside.startsWith('..') ? path : inside)
  }
  return {
    add(draft) {
      if (draft.type === 'message' && draft.payload.role === 'assistant') turns++
      if (draft.type === 'tool.call') open.set(draft.payload.call, draft.payload.scope ?? [])
      if (draft.type === 'tool.call' && searchTools.has(draft.payload.tool)) searches.add(draft.payload.call)
      if (draft.type === 'child.ended' && draft.payload.end.receipts) addAll(draft.payload.end.receipts)
      if (draft.type === 'file.written') addWritten(draft.payload)
      if (draft.type !== 'tool.result') return
      calls++
      const { call, ok, exit, pipe, pipes, data } = draft.payload
      const ends = exitsOf(data)
      if (ok) succeeded++
      for (const scope of open.get(call) ?? []) {
        if (scope.kind === 'command')
          commands.push({
            ...{ command: scope.line, exit: exit ?? ends.get(scope.line) ?? null },
            ...(pipe && { pipe }),
            ...(pipes && { pipes }),
          })
        // a failed call changed and showed nothing
        const seen = searches.has(call) ? searched : read
        if (scope.kind === 'path' && ok) (scope.access === 'write' ? changed : seen).add(scope.path)
      }
      open.delete(call)
    },
    receipts: () => ({
      read: [...read],
      ...(searched.size > 0 && { searched: [...searched] }),
      ...{ changed: [...changed], commands },
    }),
    turns: () => turns,
    calls: () => calls,
    succeeded: () => succeeded,
  }
}

/** Exit codes of a call that runs several commands, by command. */
function exitsOf(data: unknown): ReadonlyMap<string, number> {
  const { commands } = (data ?? {}) as { commands?: unknown }
  const ends = Array.isArray(commands) ? (commands as { command?: unknown; exit?: unknown }[]) : []
  return new Map(
    ends.flatMap(({ command, exit }) =>
      typeof command === 'string' && typeof exit === 'number' ? [[command, exit] as const] : [],
    ),
  )
}
