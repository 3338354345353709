// The messages, approvals and answers that a client sends as JSON lines: `{"type":"user","text"}`,
// `{"type":"approval","call","allow","why"?,"always"?}` and `{"type":"answer","request_id"}` with `text`,
// `option`, `answers` or `dismissed`.
import { createInterface } from 'node:readline'
import { createWakeUp } from '../../../internal/base/wake-up.ts'
import type { ModelMessage } from '../../../internal/model/model.ts'
import type { AnswerWait } from '../../../internal/runtime/run/question-channel.ts'
import type { ApprovalBroker } from '../../../internal/tui/approval/approver.ts'
import { type AskedQuestions, takeAnswer } from './answer-line.ts'

interface JsonInput extends ApprovalBroker {
  /**
   * Resolves to the first message; undefined if the input ends or the run is cancelled before one arrives.
   */
  first(): Promise<string | undefined>
  /** Returns the messages that arrived and were not returned yet; an empty list without any. */
  take(): ModelMessage[]
  /**
   * Waits until a message is available. Resolves to all new messages, or to an empty list once the input has
   * ended or the run is cancelled.
   */
  next(): Promise<ModelMessage[]>
  /**
   * Resolves when a message is available. Rejects when `stop` aborts; if the input ends without a message,
   * the promise stays pending until then.
   */
  arrival(stop: AbortSignal): Promise<void>
  awaitAnswer: AnswerWait
  close(): void
}

type ApprovalVerdict = NonNullable<Awaited<ReturnType<ApprovalBroker['verdict']>>>

/**
 * Reads JSON lines from `stdin`. Skips invalid lines, because an invalid line from a client must not end a
 * run. An approval counts once, for the open question about its call. For each skipped approval or answer,
 * calls `ignored` with the reason.
 */
export function openJsonInput(
  stdin: NodeJS.ReadableStream,
  signal: AbortSignal,
  ignored: (why: string) => void,
): JsonInput {
  const lines = createInterface({ input: stdin })
  const messages: string[] = []
  const open = new Map<string, ApprovalVerdict | undefined>()
  const openQuestions = new Map<string, AskedQuestions>()
  const alarm = createAlarm()
  const { wake } = alarm
  const arrived = createWakeUp(() => messages.length > 0)
  let hasEnded = false
  lines.on('line', (line) => {
    const message = parseObject(line)
    if (message?.type === 'user' && typeof message.text === 'string') {
      messages.push(message.text)
      arrived.wake()
    }
    if (message?.type === 'answer') takeAnswer(message, openQuestions, ignored)
    if (message?.type === 'approval') takeVerdict(message, open, ignored)
    wake()
  })
  lines.on('close', () => {
    hasEnded = true
    wake()
  })
  signal.addEventListener('abort', wake)
  const until = waitWith(alarm, () => hasEnded || signal.aborted)
  return {
    first: () => until(() => messages.shift()),
    next: async () => {
      await until(() => (messages.length > 0 ? true : undefined))
      return messages.splice(0).map((content) => ({ role: 'user', content }))
    },
    take: () => messages.splice(0).map((content) => ({ role: 'user', content })),
    async verdict(call, ms, stop) {
      open.set(call, undefined)
      return until(() => open.get(call), ms, stop).finally(() => open.delete(call))
    },
    arrival: (stop) => arrived.next(stop),
    async awaitAnswer(id, questions, stop) {
      const question: AskedQuestions = { questions, reply: undefined }
      openQuestions.set(id, question)
      const reply = await until(() => question.reply, undefined, stop).finally(() => openQuestions.delete(id))
      return reply ?? { status: 'no_user_available', why: 'standard input has ended' }
    },
    close: () => lines.close(),
  }
}

/**
 * Returns a function that waits until `look` returns a value, and resolves to that value. It resolves to
 * undefined when `ms` milliseconds have passed, `stop` aborts, or `isOver` returns true.
 */
function waitWith({ wake, sleep }: ReturnType<typeof createAlarm>, isOver: () => boolean) {
  return async <T>(look: () => T | undefined, ms?: number, stop?: AbortSignal): Promise<T | undefined> => {
    const deadline = ms === undefined ? Number.POSITIVE_INFINITY : Date.now() + ms
    stop?.addEventListener('abort', wake)
    try {
      for (;;) {
        const value = look()
        if (value !== undefined) return value
        const remainingMs = deadline - Date.now()
        if (isOver() || stop?.aborted || remainingMs <= 0) return undefined
        await sleep(Math.min(remainingMs, 60_000))
      }
    } finally {
      stop?.removeEventListener('abort', wake)
    }
  }
}

/**
 * Creates a function that sleeps, and one that wakes all sleeps together. Each sleep also ends when its
 * time has passed.
 */
function createAlarm() {
  const sleepers = new Set<() => void>()
  return {
    wake() {
      for (const go of [...sleepers]) go()
    },
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(timer)
          sleepers.delete(go)
          resolve()
        }
        const timer = setTimeout(go, ms)
        sleepers.add(go)
      }),
  }
}

function takeVerdict(
  message: Readonly<Record<string, unknown>>,
  open: Map<string, ApprovalVerdict | undefined>,
  ignored: (why: string) => void,
): void {
  const { call } = message
  if (typeof call !== 'string' || !open.has(call)) {
    ignored(`an approval for ${JSON.stringify(call ?? null)} was ignored: no such question is open`)
  } else if (open.get(call) !== undefined) {
    ignored(`a second approval for ${JSON.stringify(call)} was ignored`)
  } else open.set(call, verdictOf(message))
}

function verdictOf({ allow, why, always }: Record<string, unknown>): ApprovalVerdict {
  return {
    allow: allow === true,
    why: typeof why === 'string' ? why : 'answered on standard input',
    always: always === true ? true : undefined,
  }
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
