// Permissions of a workspace for the server: rules in force, recent decisions and suggestions.
import type { EnvironmentVariables } from '../../base/environment.ts'
import type { EventPayload } from '../../event/event.ts'
import { buildPolicy } from '../../runtime/session-policy.ts'
import { readWorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { OverviewDecision, PermissionOverview } from '../../server/permission-overview.ts'
import { tellingArgument } from '../../session/view/telling-argument.ts'
import type { Store } from '../../store/store.ts'
import { describeConditions } from '../permissions/rule-conditions.ts'
import { listStoredAnswers } from '../permissions/stored-answers.ts'
import { suggestRules } from '../permissions/suggested-rules.ts'

const maxThreads = 30
const maxDecisions = 100
const suggestedSinceMs = 90 * 24 * 60 * 60_000

/**
 * Returns the rules in force, at most 100 recent decisions, and suggestions from the last 90 days.
 * `workspace` is a real path. Throws UserError for an unreadable configuration.
 */
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
      answer: String(id),
      action: rule.action,
      tool: rule.tool,
      from: rule.origin ?? '',
      when: describeConditions(rule),
    })),
    decisions: readDecisions(store, workspace),
    suggestions: suggestRules(store, workspace, Date.now() - suggestedSinceMs).map(
      ({ rule, covers, approved, denied }) => ({ rule: JSON.stringify(rule), covers, approved, denied }),
    ),
  }
}

type AskedPermission = EventPayload<'permission.asked'>

/**
 * Returns at most 100 decisions, latest first, from the last 500 permission events of each of the latest 30
 * threads of the workspace. A call that was decided without a question has no recorded reasons.
 */
function readDecisions(store: Store, workspace: string): OverviewDecision[] {
  const decisions = store.threads.list({ workspace, limit: maxThreads }).flatMap(({ id: thread }) => {
    const questions = new Map<string, AskedPermission>()
    const events = store.threads.tail(thread, 500, ['permission.asked', 'permission.decided'])
    return events.flatMap((event) => {
      if (event.type === 'permission.asked') questions.set(event.payload.call, event.payload)
      if (event.type !== 'permission.decided') return []
      const decided = event.payload as EventPayload<'permission.decided'>
      return [describeDecision({ ts: event.ts, thread }, decided, questions.get(decided.call))]
    })
  })
  return decisions.sort((a, b) => b.ts - a.ts).slice(0, maxDecisions)
}

function describeDecision(
  at: Pick<OverviewDecision, 'ts' | 'thread'>,
  { tool, action, why, always, child }: EventPayload<'permission.decided'>,
  question: AskedPermission | undefined,
): OverviewDecision {
  return {
    ...at,
    tool,
    action,
    why,
    always: always ?? false,
    child: child ?? question?.child ?? null,
    about: tellingArgument({ tool, args: question?.args }),
    reasons: question?.reasons ?? [],
    parts: (question?.parts ?? []).map(({ name, action: partAction, why: because }) => ({
      name,
      action: partAction,
      why: because,
    })),
  }
}
