// Suggested rules that would have avoided approval questions, from the recorded approvals of a workspace.
import type { EventPayload } from '../../event/event.ts'
import type { Store } from '../../store/store.ts'

interface SuggestedRule {
  rule: Record<string, unknown>
  /** Description of everything else that the rule allows. */
  covers: string
  /** Number of approved calls for which this rule was offered. */
  approved: number
  /** Number of calls for which this rule was offered and which were denied. */
  denied: number
}

/** Minimum number of approvals; fewer approvals show no habit. */
const leastApproved = 3
const maxThreads = 1000

/**
 * Returns the rules that at least 3 approvals since `since` suggest, those with the most approvals first,
 * without rules that are stored answers already. Reads the latest 1000 threads of the workspace. `since` is
 * in milliseconds since 1970.
 */
export function suggestRules(store: Store, workspace: string, since = 0): SuggestedRule[] {
  const stored = new Set(store.answers.list(workspace).map(({ rule }) => keyOf(rule)))
  const found = new Map<string, SuggestedRule>()
  for (const { id } of store.threads.list({ workspace, limit: maxThreads })) {
    for (const { asked, allowed } of readAnswers(store, id, since)) {
      const key = keyOf(asked.rule)
      if (stored.has(key)) continue
      const fresh = { rule: asked.rule, covers: asked.covers ?? '', approved: 0, denied: 0 }
      const one = found.get(key) ?? fresh
      if (allowed) one.approved++
      else one.denied++
      found.set(key, one)
    }
  }
  return [...found.values()]
    .filter(({ approved }) => approved >= leastApproved)
    .sort((a, b) => b.approved - a.approved)
}

type RecordedOffer = Exclude<NonNullable<EventPayload<'permission.asked'>['always']>, readonly unknown[]>

/**
 * Yields every rule that a question of a thread since `since` offered, with true if the call was allowed.
 * Questions without an answer are left out.
 */
function* readAnswers(store: Store, thread: string, since: number) {
  const open = new Map<string, readonly RecordedOffer[]>()
  for (let from = 0; ; ) {
    const page = store.threads.events(thread, from, 500, ['permission.asked', 'permission.decided'])
    if (page.length === 0) return
    for (const event of page) {
      from = event.pos
      if (event.ts < since) continue
      const { call } = event.payload as { call: string }
      if (event.type === 'permission.asked' && event.payload.always)
        open.set(call, [event.payload.always].flat())
      const offers = open.get(call)
      if (event.type !== 'permission.decided' || !offers) continue
      open.delete(call)
      for (const asked of offers) yield { asked, allowed: event.payload.action === 'allow' }
    }
  }
}

const keyOf = (rule: object) => JSON.stringify(Object.entries(rule).sort(([a], [b]) => (a < b ? -1 : 1)))
