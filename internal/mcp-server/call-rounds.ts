// Tool calls that need several requests: a call with a question to the user ends its request, and the
// client's next request contains the answer and continues the call.
import { createHash, randomBytes } from 'node:crypto'
import { messageOf } from '../base/errors.ts'
import type { CallResult } from '../tool/invoke.ts'
import { approvalForm, readApprovalReply } from './approval-form.ts'
import type { ElicitationForm, FormReply } from './elicitation-form.ts'
import { type OpenCall, openCall } from './open-call.ts'
import { questionForm, readQuestionReply } from './question-form.ts'
import type { McpCaller, McpSurface } from './surface.ts'

/**
 * One request of a client for a tool call: the first one, or a later one that carries the answer
 * to a question.
 */
export interface CallRound {
  name: string
  args: Record<string, unknown>
  signal: AbortSignal
  /** Whether the client can show forms to a user. */
  canAsk: boolean
  report: McpCaller['report']
  /**
   * Answer to an earlier question, with the state that came with that question; missing in the first request
   * of a call.
   */
  answer?: { state: string; reply: FormReply }
}

type RoundEnd =
  | { kind: 'ended'; result: CallResult }
  | { kind: 'asks'; form: ElicitationForm; state: string }
  /** The answer fits no open question: it was answered before, timed out, or is for another call. */
  | { kind: 'unknown' }

interface WaitingCall extends RoundCall {
  timer: NodeJS.Timeout
}

interface RoundCall {
  call: OpenCall
  /** Hash of the call. A request with an answer must be for a call with the same hash. */
  print: string
  attach(round: CallRound): void
}

export interface CallRounds {
  take(round: CallRound): Promise<RoundEnd>
  /** Cancels all calls that wait for an answer. */
  close(): void
}

/** Milliseconds after which a question expires and its call is cancelled. */
const maxWaitMs = 600_000

export function createCallRounds(surface: McpSurface): CallRounds {
  const waiting = new Map<string, WaitingCall>()
  /**
   * Passes the answer of a request to the call that waits for it. Returns undefined if no question with this
   * state is open for the same call. The question is removed, so each question accepts only one answer.
   */
  const claim = (round: CallRound, { state, reply }: NonNullable<CallRound['answer']>) => {
    const waitingCall = waiting.get(state)
    if (!waitingCall || waitingCall.print !== printOf(round)) return undefined
    waiting.delete(state)
    clearTimeout(waitingCall.timer)
    waitingCall.attach(round)
    waitingCall.call.answer(reply)
    return waitingCall
  }
  return {
    async take(round) {
      const going = round.answer ? claim(round, round.answer) : beginCall(surface, round)
      if (!going) return { kind: 'unknown' }
      const { call } = going
      const leave = () => call.abort(`the client has cancelled it: ${messageOf(round.signal.reason)}`)
      if (round.signal.aborted) leave()
      round.signal.addEventListener('abort', leave, { once: true })
      try {
        const step = await call.next()
        if (step.kind === 'ended') return step
        const state = randomBytes(32).toString('base64url')
        const end = () => {
          waiting.delete(state)
          call.abort('no user answered in time')
        }
        waiting.set(state, { ...going, timer: setTimeout(end, maxWaitMs).unref() })
        return { kind: 'asks', form: step.form, state }
      } finally {
        round.signal.removeEventListener('abort', leave)
      }
    },
    close() {
      for (const { call, timer } of waiting.values()) {
        clearTimeout(timer)
        call.abort('the client has gone')
      }
      waiting.clear()
    },
  }
}

function beginCall(surface: McpSurface, first: CallRound): RoundCall {
  let current = first
  const call = openCall((signal, askForm) => {
    const caller: McpCaller = {
      signal,
      report: (progress) => current.report(progress),
      async ask(request) {
        if (!first.canAsk) return { allow: false, why: 'the client cannot ask its user', unanswered: true }
        const preview = await request.preview().catch(() => undefined)
        const form = approvalForm(request, surface.describe(request, preview))
        return readApprovalReply(await askForm(form), request)
      },
      user: first.canAsk
        ? { ask: async (prompt) => readQuestionReply(await askForm(questionForm(prompt)), prompt) }
        : undefined,
    }
    return surface.call({ name: first.name, args: first.args }, caller)
  })
  return {
    call,
    print: printOf(first),
    attach(round) {
      current = round
    },
  }
}

const printOf = ({ name, args }: CallRound) =>
  createHash('sha256')
    .update(JSON.stringify([name, args]))
    .digest('hex')
