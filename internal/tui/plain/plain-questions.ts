// Approvals and questions on the plain screen. They are shown completely, one at a time, and answered by
// number or text.

import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { PermissionAnswer, QuestionAnswer } from '../../session/commands.ts'
import { listOfferChoices, readOffers, readPartNumbers } from '../../session/permission-offers.ts'
import type { PendingPermission } from '../../session/snapshot.ts'
import type { UserQuestion } from '../../tool/ask.ts'
import { approvalLines } from '../approval/approval-lines.ts'
import { textLook } from '../approval/argument-lines.ts'
import { diffLines } from '../run-view/diff-lines.ts'
import { type PlainState, sendCommand } from './plain-state.ts'

const cleanText = (text: string) => sanitizeText(text, { keepLines: true })

/**
 * Shows the next approval, or else question, unless one is open. It stays until it is answered, on this
 * screen or by another client. While a choice of the screen is open, only a notice is printed, because a
 * number must not answer the wrong question.
 */
export function askNext(state: PlainState): void {
  const {
    conversation: { view },
    prompt: { question },
  } = state
  if (state.prompt.choice) {
    announceWaiting(state)
    return
  }
  const isOpen = question && [...view.waits, ...view.questions].some(({ call }) => call === question.call)
  if (isOpen) return
  state.prompt.question = undefined
  const [permission] = view.waits
  const [questionnaire] = view.questions
  const since = Date.now()
  if (permission) {
    state.prompt.question = { call: permission.call, kind: 'permission', since }
    state.printer.print(['\u0007', ...permissionLines(permission), ...previewLines(permission)])
  } else if (questionnaire) {
    state.prompt.question = { call: questionnaire.call, kind: 'questions', since, answers: [], at: 0 }
    showQuestion(state)
  }
}

function announceWaiting(state: PlainState): void {
  const {
    conversation: { view },
    prompt: { question, announced },
  } = state
  const waiting = view.waits[0] ?? view.questions[0]
  if (!waiting || waiting.call === question?.call || waiting.call === announced) return
  state.prompt.announced = waiting.call
  const who = 'tool' in waiting ? sanitizeText(waiting.tool) : 'a question'
  state.printer.print([`\u0007${who} waits for an answer; it is shown after this choice`])
}

/** Prints the pending question again. A form is printed from its current question. */
export function askAgain(state: PlainState): void {
  const {
    prompt: { question },
    conversation: { view },
  } = state
  if (question?.kind === 'questions' && view.questions.some(({ call }) => call === question.call)) {
    question.since = Date.now()
    showQuestion(state)
  } else {
    state.prompt.question = undefined
    askNext(state)
  }
}

function showQuestion({
  prompt: { question },
  conversation: { view },
  printer: { print },
}: PlainState): void {
  if (question?.kind !== 'questions') return
  const questionnaire = view.questions.find(({ call }) => call === question.call)?.questionnaire
  const next = questionnaire?.questions[question.at]
  if (questionnaire && next) print(questionLines(next, questionnaire.from))
}

/**
 * Parses the number of an answer to an approval; returns undefined for any other line, for 5 (deny and say
 * why), and for 2 and 3 without an offered rule. Answers 2 and 3 store all `offered` rules, or only the rule
 * whose number follows.
 */
function answerOf(line: string, offered: number): PermissionAnswer | undefined {
  const [, plain, wide, number] = /^(?:([146])|([23])(?: (\d+))?)$/.exec(line) ?? []
  const choices = listOfferChoices(offered)
  // without an offered rule, 2 and 3 are not among the printed answers
  if (wide !== undefined && choices.length === 0) return undefined
  const [first = []] = choices
  const rules =
    number === undefined ? first : choices.find((one) => one.length === 1 && one[0] === Number(number) - 1)
  if (!rules) return undefined
  const answers: Readonly<Record<string, PermissionAnswer>> = {
    '1': { allow: true, scope: 'once', rules: [] },
    '2': { allow: true, scope: 'session', rules },
    '3': { allow: true, scope: 'workspace', rules },
    '4': { allow: false },
    '6': { allow: false, stop: true },
  }
  return answers[plain ?? wide ?? '']
}

/**
 * Returns a denial of a call. If `words` are only numbers of parts, these parts are denied. Other text is a
 * message to the model.
 */
export function denyWithWords(permission: PendingPermission | undefined, words: string): PermissionAnswer {
  const parts = readPartNumbers(words.trim(), permission?.parts?.length ?? 0)
  return { allow: false, parts: parts ? parts : undefined, words: parts ? undefined : words }
}

/**
 * Answers a pending approval, or asks for the reason of a denial. Returns false for any other line, but true
 * for an empty one and for other numbers, which print the possible answers again.
 */
export async function answerPermission(state: PlainState, call: string, line: string): Promise<boolean> {
  const permission = state.conversation.view.waits.find((one) => one.call === call)
  if (line === '5') {
    state.prompt.question = { call, kind: 'reason', since: 0 }
    const which = permission?.parts ? ', or which parts (numbers) may not run' : ''
    state.printer.print([`what should the model know or do instead${which}?`])
    return true
  }
  const answer = answerOf(line, permission ? readOffers(permission).length : 0)
  // a number that is not among the answers is a mistake, not a message to the model
  const isUnanswered = answer === undefined && /^(?:\d+(?: \d+)?)?$/.test(line)
  if (answer) await sendCommand(state, { type: 'answer_permission', call, answer })
  if (isUnanswered)
    state.printer.print(
      state.conversation.view.waits.filter((one) => one.call === call).map(permissionChoices),
    )
  return answer !== undefined || isUnanswered
}

export async function answerQuestion(state: PlainState, line: string): Promise<unknown> {
  const {
    prompt: { question },
    conversation: { view },
  } = state
  if (question?.kind !== 'questions') return
  const { call, at } = question
  const questionnaire = view.questions.find((one) => one.call === call)?.questionnaire
  const now = questionnaire?.questions[at]
  if (!questionnaire || !now) return
  const option = now.options[Number(line) - 1] ?? findOption(now, line)
  if (!option && line === 'x') {
    await sendCommand(state, { type: 'answer_question', call, answer: { status: 'dismissed' } })
    return
  }
  const isFree = now.allowFreeform || now.options.length === 0
  if (!option && (line === '' ? now.required : !isFree)) {
    if (line !== '') state.printer.print([`not an option: ${sanitizeText(line)}`])
    return showQuestion(state)
  }
  if (option) question.answers.push({ id: now.id, option: option.id })
  else if (line !== '') question.answers.push({ id: now.id, text: line })
  question.at++
  if (question.at < questionnaire.questions.length) return showQuestion(state)
  const answer: QuestionAnswer =
    question.answers.length > 0 ? { status: 'answered', answers: question.answers } : { status: 'dismissed' }
  await sendCommand(state, { type: 'answer_question', call, answer })
}

/**
 * Returns the option with this label, ignoring case; undefined without one. If the question does not allow
 * text, an option whose label begins with the line also counts if it is the only one.
 */
function findOption({ options, allowFreeform }: UserQuestion, line: string) {
  const text = line.trim().toLowerCase()
  const exact = options.find(({ label }) => label.toLowerCase() === text)
  // Where the question allows text, a part of a label may be such a text.
  if (exact || text === '' || allowFreeform) return exact
  const matches = options.filter(({ label }) => label.toLowerCase().startsWith(text))
  return matches.length === 1 ? matches[0] : undefined
}

/** Returns all lines about a pending call, then the possible answers with their numbers. */
function permissionLines(permission: PendingPermission): string[] {
  const { args = {}, defaults, cwd = '', origin = 'native', reasons, parts } = permission
  const request = {
    tool: permission.tool,
    origin,
    child: permission.child,
    args,
    defaults,
    cwd,
    reasons,
    parts,
  }
  const offers = readOffers(permission)
  const lines = approvalLines(
    { ...request, always: offers.length > 0 ? offers : undefined },
    undefined,
    textLook(false),
    '2 and 3 store this rule',
  )
  return [...Array.from(lines, ({ text }) => text), permissionChoices(permission)]
}

export function permissionChoices(permission: PendingPermission): string {
  const offers = readOffers(permission).length
  const one = offers > 1 ? ' (3 2: rule 2 alone)' : ''
  const ruleAnswers = offers > 0 ? `  2 this session  3 this workspace${one}` : ''
  return `answer with a number: 1 allow once${ruleAnswers}  4 deny  5 deny and say why  6 deny and stop`
}

export const previewLines = ({ preview }: PendingPermission): string[] =>
  (preview?.files ?? []).flatMap((file) => diffLines(file, textLook(false))).map(({ text }) => text)

function questionLines({ question, reason, options, allowFreeform, required }: UserQuestion, from: string) {
  const numbered = options.map(({ label, description }, at) =>
    sanitizeText(`  ${at + 1} ${label}${description ? `: ${description}` : ''}`),
  )
  const ways = [
    ...(options.length > 0 ? ['a number', 'the words of an option'] : []),
    ...(allowFreeform || options.length === 0 ? ['your own words'] : []),
    ...(required ? [] : ['an empty line for no answer']),
  ]
  return [
    `${sanitizeText(from)} asks: ${cleanText(question)}`,
    ...(reason ? [cleanText(reason)] : []),
    ...numbered,
    `answer with ${ways.join(ways.length > 2 ? ', or ' : ' or ')}; x dismisses the questions`,
  ]
}
