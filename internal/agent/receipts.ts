// What an agent really did, gathered from the record of its calls: files read and changed, commands and exit
// codes.
import type { EventDraft } from '../event/event.ts'
import type { CallScope } from '../policy/level.ts'
import type { ActivityReceipts } from '../tool/ctx.ts'

interface ActivityRecord {
  /** Takes in one event; calls and results find each other by the call's id. */
  add(draft: EventDraft): void
  /** Paths as the calls named them, each once, in order of first use. */
  receipts(): ActivityReceipts
  turns(): number
  calls(): number
}

export function recordActivity(): ActivityRecord {
  const open = new Map<string, readonly CallScope[]>()
  const read = new Set<string>()
  const changed = new Set<string>()
  const commands: ActivityReceipts['commands'] = []
  let turns = 0
  let calls = 0
  return {
    add(draft) {
      if (draft.type === 'message' && draft.payload.role === 'assistant') turns++
      if (draft.type === 'tool.call') open.set(draft.payload.call, draft.payload.scope ?? [])
      if (draft.type !== 'tool.result') return
      calls++
      const { call, ok, exit } = draft.payload
      for (const scope of open.get(call) ?? []) {
        if (scope.kind === 'command') commands.push({ command: scope.line, exit: exit ?? null })
        // a failed call changed and showed nothing
        if (scope.kind === 'path' && ok) (scope.access === 'write' ? changed : read).add(scope.path)
      }
      open.delete(call)
    },
    receipts: () => ({ read: [...read], changed: [...changed], commands }),
    turns: () => turns,
    calls: () => calls,
  }
}
