// Decisions of the model that reviews requests for approval, read from the stored threads of a workspace.
import type { EventPayload } from '../../event/event.ts'
import { tellingArgument } from '../../session/view/telling-argument.ts'
import type { Store } from '../../store/store.ts'

type ReviewPayload = EventPayload<'approval.reviewed'>

/** One decision of the automatic reviewer about a tool call. */
export interface RecordedReview
  extends Pick<ReviewPayload, 'tool' | 'verdict' | 'reason' | 'model' | 'hash'> {
  id: string
  /** Milliseconds since 1970. */
  ts: number
  thread: string
  call: string
  /** The arguments that describe the call best, in one line. */
  subject: string
}

interface ReviewQuery {
  workspace: string
  /** Only decisions from this time on, in milliseconds since 1970. */
  since?: number | undefined
  /** Only decisions before the one with this id. */
  before?: string | undefined
  limit: number
}

const maxThreads = 1000
/**
 * Number of positions before a review at which the search for its call begins. From there, at most this
 * number of messages is read.
 */
const nearEvents = 200

/**
 * Returns at most `limit` decisions of the latest 1,000 threads of the workspace, latest first. `next` is the
 * value of `before` for the following ones, undefined after the oldest one.
 */
export function listReviews(
  store: Store,
  { workspace, since = 0, before, limit }: ReviewQuery,
): { reviews: RecordedReview[]; next: string | undefined } {
  const reviewEvents = store.threads.list({ workspace, limit: maxThreads }).flatMap(({ id: thread }) => {
    const events = store.threads.events(thread, 0, Number.MAX_SAFE_INTEGER, ['approval.reviewed'])
    return events.map((event) => ({ thread, event }))
  })
  const sorted = reviewEvents
    .filter(({ event: { ts, id } }) => ts >= since && (before === undefined || id < before))
    // ids sort by time
    .sort((a, b) => (a.event.id < b.event.id ? 1 : -1))
  const page = sorted.slice(0, limit)
  const reviews = page.map(({ thread, event: { id, ts, pos, payload } }): RecordedReview => {
    const { call, tool, verdict, reason, model, hash, model_call } = payload as ReviewPayload
    const args = findArguments(store, thread, pos, [call, model_call])
    const subject = tellingArgument({ tool, args })
    return { id, ts, thread, call, tool, subject, verdict, reason, model, hash }
  })
  return { reviews, next: sorted.length > page.length ? page.at(-1)?.event.id : undefined }
}

/**
 * Returns the arguments of the call that has one of the `ids`. Only model responses near position `pos` are
 * searched; undefined if none of them contains the call.
 */
function findArguments(
  store: Store,
  thread: string,
  pos: number,
  ids: readonly (string | undefined)[],
): unknown {
  const after = Math.max(0, pos - nearEvents)
  // a denied call has no event with its arguments, so they come from the response of the model
  const responses = store.threads.events(thread, after, nearEvents, ['message'])
  const calls = responses.flatMap(({ type, payload }) => (type === 'message' ? (payload.calls ?? []) : []))
  return calls.findLast(({ id }) => ids.includes(id))?.args
}
