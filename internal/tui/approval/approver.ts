// The source of answers to approvals: the user at the terminal, a client on standard input, or no one.

import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import { clipText } from '../../render/text/cell-width.ts'
import { describePartDenial, readPartNumbers } from '../../session/permission-offers.ts'
import type { ApprovalReply, ApprovalRequest } from '../../tool/ask.ts'
import { answeredElsewhere } from '../../tool/authorization/answered-elsewhere.ts'
import type { ApprovalHandler } from '../../tool/ctx.ts'
import { columnsOf, loadDialogs, withScreenSize } from '../terminal/live-frame.ts'
import type { SourceLine } from '../terminal/rows.ts'
import type { ApprovalChoice } from './approval-choice.ts'
import { approvalLines } from './approval-lines.ts'
import type { PromptAnswer, PromptTerminal } from './approval-prompt.ts'
import { textLook } from './argument-lines.ts'
import { askParts, asksForParts } from './part-answers.ts'

/**
 * A client that answers approvals. `verdict` resolves to the answer to a call, or to undefined if no answer
 * arrives within `ms` milliseconds or if the client has disconnected.
 */
export interface ApprovalBroker {
  verdict(
    call: string,
    ms: number,
    signal: AbortSignal,
  ): Promise<{ allow: boolean; why: string; always?: boolean } | undefined>
}

interface RunApprover {
  ask: ApprovalHandler
  /** Ends the run as failed if `onAsk` is `fail`. Called for an approval that was not answered. */
  giveUp(): void
  /** Returns true if the run ended because an approval was not answered. */
  failed(): boolean
}

export interface ApprovalChannels {
  terminal: PromptTerminal | undefined
  broker: ApprovalBroker | undefined
  /** Result of an approval that was not answered. */
  onAsk: 'deny' | 'fail'
  /** Ends the run as failed. */
  fail(): void
  /** Called when the user wants the run to end. */
  interrupt(): void
  /**
   * Pauses progress output while a question is on the screen. Returns the function that resumes the output.
   */
  quietly(): () => void
}

const brokerMs = 120_000

/**
 * Opens an approver. A terminal shows one question at a time, a client gets all questions at once. An
 * approval that is not answered is denied.
 */
export function openApprover(who: ApprovalChannels): RunApprover {
  let failed = false
  let last: Promise<unknown> = Promise.resolve()
  const leaveUnanswered = (why: string): ApprovalReply => ({ allow: false, why, unanswered: true })
  return {
    async ask(request) {
      const { broker, terminal } = who
      if (broker) {
        const reply = await broker.verdict(request.call, brokerMs, request.signal)
        return reply ?? leaveUnanswered('no answer came on standard input')
      }
      if (!terminal)
        return leaveUnanswered(
          'No user is present to approve it, so it stays denied. Do it another way, or name ' +
            'it in your report.',
        )
      const turn = last.then(() => askTerminalUser(request, terminal, who))
      last = turn.catch(() => undefined)
      return (await turn) ?? leaveUnanswered('the terminal was closed')
    },
    giveUp() {
      if (who.onAsk !== 'fail') return
      failed = true
      who.fail()
    },
    failed: () => failed,
  }
}

/** Asks the user at the terminal and returns the reply. Returns undefined if the terminal is closed. */
async function askTerminalUser(
  request: ApprovalRequest,
  terminal: PromptTerminal,
  who: ApprovalChannels,
): Promise<ApprovalReply | undefined> {
  if (request.signal.aborted) return { allow: false, why: 'the run was ended' }
  const { penFor, promptApproval } = await import('./approval-prompt.ts')
  // If the preview of the changes fails, the arguments are shown instead.
  const preview = await request.preview().catch(() => undefined)
  const { look } = penFor(terminal)
  const text = textLook(look.unicode, look.color)
  const lines = approvalLines(request, preview, text)
  const goOn = who.quietly()
  try {
    const prompt = (promptLines: Iterable<SourceLine>, ...choices: ApprovalChoice[]) =>
      promptApproval(promptLines, choices, terminal, request.signal)
    const more: ApprovalChoice[] = [
      ...(request.always ? ['always' as const] : []),
      ...(asksForParts(request) ? ['parts' as const] : []),
    ]
    const first = await prompt(lines, 'explain', ...more)
    const partly = first === 'parts' ? await askParts(request, text, prompt) : undefined
    const answer = typeof partly === 'string' ? partly : first
    const elsewhere = answer === 'gone' ? answeredElsewhere(request.signal) : undefined
    // Another client has answered, or the time limit is over. That result counts already, and the reply
    // below is ignored.
    if (elsewhere) return { allow: false, why: elsewhere.text }
    const words = answer === 'explain' ? await askWhy(request, terminal) : undefined
    const reply = typeof partly === 'object' ? partly : replyOf(answer, words, request)
    const { output } = terminal
    const named = typeof partly === 'object' ? outcomeOf(partly) : outcomes[answer]
    const outcome = `${named}: ${labelOf(request)}`
    const { paint, glyphs } = penFor(terminal)
    const style = { color: reply?.allow ? 'green' : 'red' }
    output.write(`${paint(style)(clipText(outcome, columnsOf(output) - 1, glyphs.ellipsis, 2).text)}\n`)
    if (answer === 'stop') who.interrupt()
    return reply
  } finally {
    goOn()
  }
}

const outcomes: Readonly<Record<PromptAnswer, string>> = {
  once: 'Allowed once',
  always: 'Allowed now and always here',
  deny: 'Denied',
  explain: 'Denied',
  parts: 'Denied',
  stop: 'Denied, the run ends',
  gone: 'Denied, no answer',
}

/** Returns the label for an approval that was answered part by part. */
const outcomeOf = ({ allow, always }: ApprovalReply): string =>
  `${allow ? 'Allowed part by part' : 'Denied in part'}${always ? ', rules stored' : ''}`

function replyOf(
  answer: PromptAnswer,
  words: string | undefined,
  { signal, parts }: ApprovalRequest,
): ApprovalReply | undefined {
  switch (answer) {
    case 'once':
      return { allow: true, why: 'the user allowed it' }
    case 'always':
      return { allow: true, why: 'the user allowed it, now and always in this workspace', always: true }
    case 'stop':
      return { allow: false, why: 'the user ended the run' }
    case 'gone':
      return signal.aborted ? { allow: false, why: 'the run was ended' } : undefined
    default:
      return { allow: false, why: denialOf(words, parts) }
  }
}

/**
 * Returns the reason of a denial for the model. If `words` are only numbers of parts, the reason lists these
 * denied parts. Other text is passed on unchanged, and without text the reason only says that the user
 * denied the call.
 */
export function denialOf(words: string | undefined, parts: ApprovalRequest['parts']): string {
  if (!words) return 'the user denied it'
  const deniedParts = parts && readPartNumbers(words, parts.length)
  return deniedParts
    ? `the user denied it ${describePartDenial(parts, deniedParts)}`
    : `the user denied it and says: ${words}`
}

/**
 * Asks the user for a message to the model or for the numbers of the denied parts. Returns the text;
 * undefined if the user enters none or cancels the question.
 */
async function askWhy(
  { signal, parts }: ApprovalRequest,
  terminal: PromptTerminal,
): Promise<string | undefined> {
  const { text, isCancel } = await loadDialogs()
  const output = withScreenSize(terminal.output)
  const reply = await text({
    message: parts
      ? 'Denied. What should the model know, or which parts (numbers) may not run?'
      : 'Denied. What should the model know or do instead?',
    input: terminal.input,
    output,
    signal,
  })
  return isCancel(reply) ? undefined : reply?.trim() || undefined
}

/** Returns the name of the tool and its first argument that is a text, in one line. */
function labelOf({ tool, args }: ApprovalRequest): string {
  const first = Object.values(args).find((value) => typeof value === 'string' && value !== '')
  return escapeInvisible(`${tool} ${typeof first === 'string' ? first.replaceAll('\n', ' ') : ''}`.trimEnd())
}
