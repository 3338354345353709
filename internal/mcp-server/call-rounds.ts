// Calls over several requests: one that asks a person ends its request, and the next one brings the answer.
import { createHash, randomBytes } from 'node:crypto'
import { messageOf } from '../base/errors.ts'
import type { CallResult } from '../tool/invoke.ts'
import { approvalForm, readApprovalReply } from './approval-form.ts'
import type { ElicitationForm, FormReply } from './elicitation-form.ts'
import { type OpenCall, openCall } from './open-call.ts'
import { questionForm, readQuestionReply } from './question-form.ts'
import type { McpCaller, McpSurface } from './surface.ts'

/** One request for a call, as it came in. */
export interface CallRound {
  name: string
  args: Record<string, unknown>
  signal: AbortSignal
  /** Whether the client can put forms to a person. */
  canAsk: boolean
  report: McpCaller['report']
  /** Present where it brings the answer to a question: what the question went out with. */
  answer?: { state: string; reply: FormReply }
}

type RoundEnd =
  | { kind: 'ended'; result: CallResult }
  | { kind: 'asks'; form: ElicitationForm; state: string }
  /** The answer is to no question that waits: answered before, too late, or for another call. */
  | { kind: 'unknown' }

interface WaitingCall extends RoundCall {
  timer: NodeJS.Timeout
}

interface RoundCall {
  call: OpenCall
  /** Which call it is; the request that brings an answer has to name the same. */
  print: string
  attach(round: CallRound): void
}

export interface CallRounds {
  take(round: CallRound): Promise<RoundEnd>
  /** Ends what waits. */
  close(): void
}

/** An answer that comes later than this finds no question. */
const maxWaitMs = 600_000

export function createCallRounds(surface: McpSurface): CallRounds {
  const waiting = new Map<string, WaitingCall>()
  /** Each question is answered once. */
  const claim = (round: CallRound, { state, reply }: NonNullable<CallRound['answer']>) => {
    const found = waiting.get(state)
    if (!found || found.print !== printOf(round)) return undefined
    waiting.delete(state)
    clearTimeout(found.timer)
    found.attach(round)
    found.call.answer(reply)
    return found
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
          call.abort('nobody has answered in time')
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
        if (!first.canAsk) return { allow: false, why: 'the client asks nobody', unanswered: true }
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
