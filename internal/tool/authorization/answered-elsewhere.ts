// The reason with which an open question is aborted: another client has answered, or the answer
// comes too late.
import type { UserReply } from '../ask.ts'

/**
 * The reason why a question closes on the screens that still show it: another client has answered, or the
 * time for an answer is over.
 */
export class AnsweredElsewhere extends Error {
  /** What closed the question, as a text for users, for example `the relay allowed it`. */
  readonly text: string
  /**
   * Status with which a questionnaire ended, for example `no_user_available` after the time limit; undefined
   * for the approval of a call.
   */
  readonly status: UserReply['status'] | undefined

  constructor(text: string, status?: UserReply['status']) {
    super(text)
    this.text = text
    this.status = status
  }
}

/**
 * Returns the AnsweredElsewhere with which a signal aborted; undefined for another reason or a signal that
 * has not aborted.
 */
export function answeredElsewhere({ aborted, reason }: AbortSignal): AnsweredElsewhere | undefined {
  return aborted && reason instanceof AnsweredElsewhere ? reason : undefined
}
