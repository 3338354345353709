// Remote approval: it sends approvals and questions to a user who is not at this terminal, each with
// a time limit.
import { FailureError, messageOf } from '../base/errors.ts'
import { waitAtMost } from '../base/time-limit.ts'
import type {
  ApprovalReply,
  ApprovalRequest,
  FilePreview,
  UserQuestionnaire,
  UserReply,
} from '../tool/ask.ts'
import { readApprovalAnswer, readQuestionsAnswer } from './relay-answer.ts'
import {
  approvalDocument,
  questionsDocument,
  type RelayDocument,
  type RelaySource,
} from './relay-document.ts'

/** Transport to the remote user. */
export interface RelayTransport {
  /** Name for messages, such as `the relay program`. */
  readonly name: string
  /** Milliseconds to wait for an answer. */
  readonly maxMs: number
  /**
   * Sends a question and resolves to its answer, which is parsed JSON of any form. Rejects if there is no
   * answer. Once the signal has aborted, an answer no longer counts; the signal's reason says why.
   */
  send(document: RelayDocument, signal: AbortSignal): Promise<unknown>
  /** Resolves when no program of the transport runs and no notice is being sent. */
  close(): Promise<void>
}

export interface QuestionRelay {
  /**
   * Asks the remote user for an approval. Never rejects; a missing or invalid answer gives `unanswered`
   * with the reason.
   */
  approve(request: ApprovalRequest): Promise<ApprovalReply>
  /**
   * Asks the remote user questions. Never rejects; without a valid answer the status is `no_user_available`.
   */
  answer(prompt: UserQuestionnaire, signal: AbortSignal): Promise<UserReply>
  close(): Promise<void>
}

/** Functions that make the text of a question, as the terminal shows it. */
interface RelayWording {
  approval(request: ApprovalRequest, preview: FilePreview | undefined): string
  questions(prompt: UserQuestionnaire): string
}

export function createQuestionRelay(
  transport: RelayTransport,
  wording: RelayWording,
  source: RelaySource,
): QuestionRelay {
  const about = () => ({ source, expires: Date.now() + transport.maxMs })
  return {
    async approve(request) {
      // if the change cannot be computed, the user sees the arguments alone
      const preview = await request.preview().catch(() => undefined)
      const text = wording.approval(request, preview)
      const document = approvalDocument(request, preview, text, about())
      const end = await sendInTime(transport, document, request.signal)
      if (end.kind === 'none') return { allow: false, why: end.why, unanswered: true }
      return readOr(
        () => readApprovalAnswer(end.value, request),
        (why) => ({ allow: false, why: `${transport.name} gave no answer: ${why}`, unanswered: true }),
      )
    },
    async answer(prompt, signal) {
      const document = questionsDocument(prompt, wording.questions(prompt), about())
      const end = await sendInTime(transport, document, signal)
      if (end.kind === 'none') return { status: 'no_user_available', why: end.why }
      return readOr(
        () => readQuestionsAnswer(end.value, prompt),
        (why) => ({ status: 'no_user_available', why: `${transport.name} gave no answer: ${why}` }),
      )
    },
    close: () => transport.close(),
  }
}

type SendEnd = { kind: 'answer'; value: unknown } | { kind: 'none'; why: string }

/**
 * Sends a question and waits at most `maxMs`, even if the transport ignores its signal. A failure, an abort
 * and the end of this time give `none` with the reason.
 */
async function sendInTime(
  transport: RelayTransport,
  document: RelayDocument,
  outer: AbortSignal,
): Promise<SendEnd> {
  const { name, maxMs } = transport
  const late = new AbortController()
  const signal = AbortSignal.any([outer, late.signal])
  const tooLate = `${name} gave no answer within ${maxMs / 1000} s`
  const none = (why: string): SendEnd => ({ kind: 'none', why })
  try {
    const outcome = await waitAtMost(transport.send(document, signal), maxMs, outer)
    if (outcome === 'aborted') return none(`${name} was not waited for`)
    if (outcome !== 'late') return { kind: 'answer', value: outcome.value }
    late.abort(new Error(tooLate))
    return none(tooLate)
  } catch (error) {
    return none(`${name} gave no answer: ${messageOf(error)}`)
  }
}

function readOr<T>(read: () => T, otherwise: (why: string) => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return otherwise(error.failure.message)
  }
}
