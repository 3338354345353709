// The permissions of a workspace as the server shows them: rules in force, recent decisions, suggestions.
import type { EnvironmentVariables } from '../../base/environment.ts'
import type { EventPayload } from '../../event/event.ts'
import type { PermissionOverview } from '../../server/permission-overview.ts'
import type { Store } from '../../store/store.ts'
import { buildPolicy } from '../session-policy.ts'
import { describeConditions } from '../user/rule-conditions.ts'
import { listStoredAnswers } from '../user/stored-answers.ts'
import { suggestRules } from '../user/suggested-rules.ts'
import { readWorkspaceContext } from '../workspace.ts'

const maxThreads = 30
const maxDecisions = 100
const suggestedSinceMs = 90 * 24 * 60 * 60_000

/** `workspace` is a real path. Throws UserError for a configuration that cannot be read. */
export async function describePermissions(
  store: Store,
  workspace: string,
  env: EnvironmentVariables,
): Promise<PermissionOverview> {
  const context = await readWorkspaceContext(workspace, env)
  const policy = buildPolicy({ mode: 'ask', addDirs: [], env }, context, undefined)
  const stored = await listStoredAnswers(context.workspace, env)
  const rows = [...policy.rules.map((rule) => ({ id: '', rule })), ...stored]
  return {
    workspace,
    preset: policy.preset ?? null,
    rules: rows.map(({ id, rule }) => ({
      ...{ answer: String(id), action: rule.action, tool: rule.tool, from: rule.origin ?? '' },
      when: describeConditions(rule),
    })),
    decisions: readDecisions(store, workspace),
    suggestions: suggestRules(store, workspace, Date.now() - suggestedSinceMs).map(
      ({ rule, covers, approved, denied }) => ({ rule: JSON.stringify(rule), covers, approved, denied }),
    ),
  }
}

/** Of the newest threads; a call that was decided without a question has no reasons of its own. */
function readDecisions(store: Store, workspace: string): PermissionOverview['decisions'] {
  const found = store.threads.list({ workspace, limit: maxThreads }).flatMap(({ id: thread }) => {
    const reasons = new Map<string, readonly string[]>()
    const events = store.threads.events(thread, 0, 500, ['permission.asked', 'permission.decided'])
    return events.flatMap((event) => {
      if (event.type === 'permission.asked') reasons.set(event.payload.call, event.payload.reasons)
      if (event.type !== 'permission.decided') return []
      const { call, tool, action, why } = event.payload as EventPayload<'permission.decided'>
      return [{ ts: event.ts, thread, tool, action, why, reasons: reasons.get(call) ?? [] }]
    })
  })
  return found.sort((a, b) => b.ts - a.ts).slice(0, maxDecisions)
}
