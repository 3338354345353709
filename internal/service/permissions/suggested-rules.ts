// Suggestions of permission rules that would have made past approvals in a workspace unnecessary.
import type { EventPayload } from '../../event/event.ts'
import type { Store } from '../../store/store.ts'

interface SuggestedRule {
  rule: Record<string, unknown>
  /** Text about all calls that the rule would allow. */
  covers: string
  /** Number of approved calls for which this rule was offered. */
  approved: number
  /** Number of calls for which this rule was offered and which were denied. */
  denied: number
}

/** Smallest number of approvals after which a rule is suggested. */
const leastApproved = 3
const maxThreads = 1000

/**
 * Returns the rules that were offered for at least 3 calls which were approved since `since`. Those with the
 * most approvals come first; rules that the user has stored are left out. Reads the latest 1000 threads of
 * the workspace. `since` is in milliseconds since 1970.
 */
export function suggestRules(store: Store, workspace: string, since = 0): SuggestedRule[] {
  const stored = new Set(store.answers.list(workspace).map(({ rule }) => keyOf(rule)))
  const suggestions = new Map<string, SuggestedRule>()
  for (const { id } of store.threads.list({ workspace, limit: maxThreads })) {
    for (const { asked: offer, allowed } of readAnswers(store, id, since)) {
      const key = keyOf(offer.rule)
      if (stored.has(key)) continue
      const fresh = { rule: offer.rule, covers: offer.covers ?? '', approved: 0, denied: 0 }
      const one = suggestions.get(key) ?? fresh
      if (allowed) one.approved++
      else one.denied++
      suggestions.set(key, one)
    }
  }
  return [...suggestions.values()]
    .filter(({ approved }) => approved >= leastApproved)
    .sort((a, b) => b.approved - a.approved)
}

type RecordedOffer = Exclude<NonNullable<EventPayload<'permission.asked'>['always']>, readonly unknown[]>

/**
 * Yields each rule that a question in the thread offered since `since`, and whether the user allowed the
 * call. Questions without an answer are left out.
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
      for (const offer of offers) yield { asked: offer, allowed: event.payload.action === 'allow' }
    }
  }
}

const keyOf = (rule: object) => JSON.stringify(Object.entries(rule).sort(([a], [b]) => (a < b ? -1 : 1)))
