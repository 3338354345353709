// Questions to the user at the terminal, one at a time.
import { sanitizeText } from '../render/text/terminal-filter.ts'
import type { AnsweredQuestion, UserQuestion, UserQuestionnaire, UserReply } from '../tool/ask.ts'
import { answeredElsewhere } from '../tool/authorization/answered-elsewhere.ts'
import type { UserChannel } from '../tool/ctx.ts'
import { type PromptTerminal, penFor } from './approval/approval-prompt.ts'
import { askNumbered } from './numbered-prompt.ts'
import { questionLines } from './question-lines.ts'
import { dropTypedAhead } from './terminal/key-reader.ts'
import { columnsOf, loadDialogs, withScreenSize } from './terminal/live-frame.ts'
import { breakLines } from './terminal/rows.ts'

/** The user's terminal. Pass standard error as `output`, because standard output is for results. */
interface UserTerminal extends PromptTerminal {
  input: PromptTerminal['input'] & { isTTY?: boolean }
  /** Called when the user presses Ctrl-C, which dismisses the questions. */
  interrupt?(): void
  /** Returns true if options must be shown as numbered lines instead of an interactive list. */
  isNumbered?(): boolean
}

/**
 * Keys of the choices after the options: to type an answer (`own`) and to give none (`skip`). Keys of options
 * begin with `=`.
 */
const ownKey = 'own'
const skip = 'skip'

/**
 * Opens a user channel on a terminal. It shows one questionnaire at a time. Escape, Ctrl-C, an empty line in
 * numbered form, the end of input and an aborted signal dismiss the whole questionnaire, as does a user who
 * answers none of its questions. Text is sanitized before it is shown. Without a terminal the channel reports
 * that no user is available.
 */
export function terminalUser(io: UserTerminal): UserChannel {
  let last: Promise<unknown> = Promise.resolve()
  return {
    ask(prompt, signal) {
      const turn = last.then(() => askAll(prompt, signal, io))
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

async function askAll(prompt: UserQuestionnaire, signal: AbortSignal, io: UserTerminal): Promise<UserReply> {
  if (!io.input.isTTY) return { status: 'no_user_available', why: 'standard input is not a terminal' }
  const endController = new AbortController()
  const leave = () => endController.abort()
  // The question closes when the input ends, because it would otherwise wait forever.
  io.input.once('end', leave).once('close', leave)
  const any = AbortSignal.any([signal, endController.signal])
  const press = (_: unknown, key: { name?: string; ctrl?: boolean }) => {
    if (key.ctrl === true && key.name === 'c') io.interrupt?.()
  }
  io.input.on('keypress', press)
  try {
    const answers: AnsweredQuestion[] = []
    for (const question of prompt.questions) {
      if (any.aborted || io.input.destroyed || io.input.readableEnded) return { status: 'dismissed' }
      const answer = await askOne(question, prompt.from, any, io)
      if (answer === undefined) return { status: 'dismissed' }
      if (answer !== skip) answers.push(answer)
    }
    return answers.length > 0 ? { status: 'answered', answers } : { status: 'dismissed' }
  } finally {
    const elsewhere = answeredElsewhere(signal)
    if (elsewhere) io.output.write(`${elsewhere.text}\n`)
    io.input.off('keypress', press).off('end', leave).off('close', leave)
  }
}

/** Asks one question. Returns the answer, `skip`, or undefined if the user canceled. */
async function askOne(
  question: UserQuestion,
  from: string,
  signal: AbortSignal,
  { input, output, env, isNumbered }: UserTerminal,
): Promise<AnsweredQuestion | typeof skip | undefined> {
  const pen = penFor({ output, env })
  const rows = breakLines(questionLines(question, from), columnsOf(output) - 1, pen)
  output.write(rows.map((row) => `${row.text}\n`).join(''))
  await dropTypedAhead(input, () => signal.aborted)
  if (isNumbered?.() || env.TERM === 'dumb') {
    input.setRawMode?.(false)
    return askNumbered(question, signal, { input, output })
  }
  const { select, text, isCancel } = await loadDialogs()
  const io = { input, output: withScreenSize(output), signal }
  const message = sanitizeText(`Your answer to ${from}`)
  if (question.options.length > 0) {
    const choice = await select({ ...io, message, options: listChoices(question) })
    if (isCancel(choice)) return undefined
    if (choice === skip) return skip
    if (choice !== ownKey) return { id: question.id, option: choice.slice(1) }
  }
  const validate = (value: string | undefined) =>
    value?.trim() ? undefined : 'Type an answer, or press Esc to cancel.'
  const typed = await text({ ...io, message, validate: question.required ? validate : undefined })
  if (isCancel(typed)) return undefined
  const typedText = (typed ?? '').trim()
  return typedText === '' ? skip : { id: question.id, text: typedText }
}

/**
 * Returns the choices to show for a question. An option has the key `=<id>`, so that no id equals
 * `own` or `skip`.
 */
function listChoices({ options, allowFreeform, required }: UserQuestion) {
  return [
    ...options.map(({ id, label, description }) => ({
      value: `=${id}`,
      label: sanitizeText(label),
      hint: description ? sanitizeText(description) : undefined,
    })),
    ...(allowFreeform ? [{ value: ownKey, label: 'Something else', hint: 'type it' }] : []),
    ...(required ? [] : [{ value: skip, label: 'No answer' }]),
  ]
}
