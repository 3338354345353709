// A relay: puts approvals and questions to somebody who is not here, each for a limited time.
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

/** The way to whoever answers. */
export interface RelayTransport {
  /** What answers, for people: `the relay program`. */
  readonly name: string
  /** How long an answer is waited for, at most. */
  readonly maxMs: number
  /**
   * Resolves to what was answered, as JSON. An aborted signal means that no answer counts any more: its
   * reason says why. Rejects with FailureError.
   */
  send(document: RelayDocument, signal: AbortSignal): Promise<unknown>
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>
}

export interface QuestionRelay {
  /** Never rejects; what is no answer is `unanswered`, with the reason. */
  approve(request: ApprovalRequest): Promise<ApprovalReply>
  /** Never rejects. */
  answer(prompt: UserQuestionnaire, signal: AbortSignal): Promise<UserReply>
  close(): Promise<void>
}

/** What a terminal shows, as text. */
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
      // where a change cannot be worked out its arguments are all there is to see
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

/** A transport that takes no notice of its signal is not waited for. */
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
    const ended = await waitAtMost(transport.send(document, signal), maxMs, outer)
    if (ended === 'aborted') return none(`${name} was not waited for`)
    if (ended !== 'late') return { kind: 'answer', value: ended.value }
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
