// A call that may wait for a user: it returns one question at a time and continues with the answer.
import type { CallResult } from '../tool/invoke.ts'
import type { ElicitationForm, FormAsker, FormReply } from './elicitation-form.ts'

type CallStep = { kind: 'ended'; result: CallResult } | { kind: 'asks'; form: ElicitationForm }

export interface OpenCall {
  /** Resolves to the open question of the call or to the result of the call. Rejects if the call rejects. */
  next(): Promise<CallStep>
  /** Answers the question that `next` returned. */
  answer(reply: FormReply): void
  /** Cancels the call. */
  abort(reason: string): void
}

/** Starts a call at once and returns it. `run` asks its questions with `ask`. */
export function openCall(run: (signal: AbortSignal, ask: FormAsker) => Promise<CallResult>): OpenCall {
  const stop = new AbortController()
  const questions: { form: ElicitationForm; resolve: (reply: FormReply) => void }[] = []
  let wake: () => void = () => undefined
  const ask: FormAsker = (form) => {
    if (stop.signal.aborted) return Promise.resolve({ action: 'cancel' })
    return new Promise((resolve) => {
      questions.push({ form, resolve })
      wake()
    })
  }
  const endStep = run(stop.signal, ask).then((result): CallStep => ({ kind: 'ended', result }))
  // Ignoring a rejection here only avoids an unhandled rejection; the following call of `next`
  // still reports it.
  endStep.catch(() => undefined)
  return {
    async next() {
      const questionStep = new Promise<CallStep>((resolve) => {
        const look = () => {
          const [first] = questions
          if (first) resolve({ kind: 'asks', form: first.form })
        }
        wake = look
        look()
      })
      return Promise.race([questionStep, endStep])
    },
    answer(reply) {
      questions.shift()?.resolve(reply)
    },
    abort(reason) {
      stop.abort(new Error(reason))
      for (const { resolve } of questions.splice(0)) resolve({ action: 'cancel' })
    },
  }
}
