// Who answers when a call needs approval: a person at the terminal, a client on standard input, or nobody.
import type { Readable, Writable } from 'node:stream'
import { clean, reveal } from '../render/clean.ts'
import type { Ask } from '../tool/ctx.ts'

/** Answers by the call's id; undefined after `ms` or when nobody is there any more. */
export interface Broker {
  verdict(call: string, ms: number): Promise<{ allow: boolean; why: string } | undefined>
}

export interface Approver {
  ask: Ask
  /** Calls that were denied because nobody could answer. */
  denied(): number
  /** True when the run was ended for want of an answer. */
  failed(): boolean
}

export interface Answerers {
  terminal: { input: Readable; output: Writable } | undefined
  broker: Broker | undefined
  /** What an unanswered question means. */
  onAsk: 'deny' | 'fail'
  /** Ends the run. */
  fail(): void
  /** Holds progress back while a question is on the screen; returns what lets it go on. */
  quietly(): () => void
}

const brokerMs = 120_000

/** Questions come one at a time; each ends with an answer, at the latest after two minutes without one. */
export function approver(who: Answerers): Approver {
  let denied = 0
  let failed = false
  let last: Promise<unknown> = Promise.resolve()
  const nobody = (why: string) => {
    denied++
    if (who.onAsk === 'fail') {
      failed = true
      who.fail()
    }
    return { allow: false, why }
  }
  const answer: Ask = async (question) => {
    if (who.broker) {
      return (await who.broker.verdict(question.call, brokerMs)) ?? nobody('no answer came on standard input')
    }
    if (who.terminal) return fromTerminal(question, who)
    return nobody('nobody is here to approve it; a permission rule or --approval would allow it')
  }
  return {
    ask(question) {
      const turn = last.then(() => answer(question))
      last = turn.catch(() => undefined)
      return turn
    },
    denied: () => denied,
    failed: () => failed,
  }
}

async function fromTerminal(question: Parameters<Ask>[0], who: Answerers): ReturnType<Ask> {
  const { select, isCancel } = await import('@clack/prompts')
  const { input, output } = who.terminal as NonNullable<Answerers['terminal']>
  const goOn = who.quietly()
  try {
    const rule = question.always === undefined ? undefined : reveal(JSON.stringify(question.always))
    const choice = await select({
      message: `${reveal(`${question.tool} ${whole(question.args)}`, { keepLines: true })}\n${clean(question.reasons.join('\n'), { keepLines: true })}`,
      options: [
        { value: 'once', label: 'Allow once' },
        ...(rule === undefined ? [] : [{ value: 'always', label: 'Always allow here', hint: rule }]),
        { value: 'no', label: 'Deny' },
      ],
      input,
      output,
    })
    if (isCancel(choice) || choice === 'no') return { allow: false, why: 'the person denied it' }
    return { allow: true, why: 'the person allowed it', ...(choice === 'always' && { always: true }) }
  } finally {
    goOn()
  }
}

/** Arguments as people look at them: a command on a line of its own, all else as JSON. */
function whole(args: Readonly<Record<string, unknown>>): string {
  const text = typeof args.command === 'string' ? `\n  ${args.command}` : JSON.stringify(args)
  return text.length > 2_000 ? `${text.slice(0, 2_000)} … (${text.length} characters)` : text
}
