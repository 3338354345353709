// List of a run's subagents, including finished ones, updated by the events of the run.
import { describeRunReason } from '../../../base/text/reason-words.ts'
import type { SessionEvent } from '../../../session/client.ts'

export interface ShownChild {
  thread: string
  title: string
  profile: string
  /** Start of the subagent, in milliseconds since 1970. */
  since: number
  /**
   * Result of the subagent: how it ended, and its turns, tokens and cost. Undefined while the
   * subagent is running.
   */
  ended?: { end: string; turns: number; tokens: number; usd: number | null }
}

/**
 * Returns the list of subagents after an event, the same list if the event is unrelated. The end of the run
 * also ends each subagent that has no end yet.
 */
export function foldChild(children: readonly ShownChild[], event: SessionEvent): readonly ShownChild[] {
  if (event.type === 'child.started') {
    const { thread, title, profile = '' } = event.payload
    const others = children.filter((one) => one.thread !== thread)
    return [...others, { thread, title, profile, since: event.ts }]
  }
  if (event.type === 'child.ended') {
    const { thread, end } = event.payload
    const how = end.reason === undefined ? end.end : `${end.end}: ${describeRunReason(end.reason)}`
    const childResult = { end: how, turns: end.turns, tokens: end.tokens, usd: end.usd ?? null }
    return children.map((one) => (one.thread === thread ? { ...one, ended: childResult } : one))
  }
  if (event.type !== 'run.ended' || children.every(({ ended: childResult }) => childResult)) return children
  const lost = { end: 'interrupted', turns: 0, tokens: 0, usd: null }
  return children.map((one) => (one.ended ? one : { ...one, ended: lost }))
}
