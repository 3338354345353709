// The end of a wait for an answer that somebody else has given, or that comes too late: as an abort reason.
import type { UserReply } from '../ask.ts'

/** Why a question closes where it still stands open. */
export class AnsweredElsewhere extends Error {
  /** Who has answered and what, for people: `the relay allowed it`. */
  readonly text: string
  /** What became of a questionnaire; absent for the approval of a call. */
  readonly status: UserReply['status'] | undefined

  constructor(text: string, status?: UserReply['status']) {
    super(text)
    this.text = text
    this.status = status
  }
}

/** Undefined for a signal that ends a question for another reason, or has not ended it. */
export function answeredElsewhere({ aborted, reason }: AbortSignal): AnsweredElsewhere | undefined {
  return aborted && reason instanceof AnsweredElsewhere ? reason : undefined
}
