// Reader of the check that a thread has to pass. A resumed run continues with the stored original files and
// the count of attempts.
import type { EventDraft, EventPayload } from '../../event/event.ts'
import type { Store } from '../../store/store.ts'

export type GoalTerms = NonNullable<EventPayload<'goal.changed'>['goal']>

interface RecordedGoal {
  terms: GoalTerms
  /** Checks of the goal so far, in order. */
  history: EventPayload<'check.ran'>[]
  /** True if a call since the last check could have changed files. */
  hasActed: boolean
}

const pageSize = 200

/** Returns the check that the thread still has to pass, or undefined. */
export function readGoal(store: Store, thread: string): RecordedGoal | undefined {
  const changed = store.threads.tail(thread, 1, ['goal.changed']).at(-1)
  if (changed?.type !== 'goal.changed' || !changed.payload.goal) return undefined
  const end = store.threads.tail(thread, 1, ['run.ended']).at(-1)
  const isOver = end?.type === 'run.ended' && end.pos > changed.pos && end.payload.proof?.state === 'proven'
  if (isOver) return undefined
  const history: RecordedGoal['history'] = []
  let hasActed = false
  for (let after = changed.pos; ; ) {
    const page = store.threads.events(thread, after, pageSize)
    for (const event of page) {
      if (event.type === 'check.ran') {
        history.push(event.payload)
        hasActed = false
      } else if (isAction(event)) hasActed = true
    }
    const last = page.at(-1)
    if (!last || page.length < pageSize) return { terms: changed.payload.goal, history, hasActed }
    after = last.pos
  }
}

/** Effects of calls that change nothing. */
const harmlessEffects: ReadonlySet<string> = new Set(['read', 'interact'])

/** Returns whether an event is a call that could change something. */
export const isAction = ({ payload }: EventDraft): boolean =>
  'effect' in payload && payload.effect !== undefined && !harmlessEffects.has(payload.effect)
