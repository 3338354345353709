// The questions of the plain screen: lists and choices answered by number or letter, and typed lines.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { CommandChoice, CommandScreen } from '../command/command-screen.ts'
import { type PickerItem, type PickerWishes, shownItems } from '../dialog/picker.ts'
import { minReadingMs, type PlainChoice, type PlainState } from './plain-state.ts'

type AnswerHandler = Parameters<CommandScreen['choose']>[1]

const leaving = 'an empty line changes nothing'

export function openPlainChoice(
  state: PlainState,
  lines: readonly string[],
  choice: Omit<PlainChoice, 'since'>,
): void {
  state.printer.print([...lines, choice.ways])
  state.prompt.choice = { ...choice, since: Date.now() }
}

/** Lets the user pick an item of a list by number. For an item that cannot be used it prints the reason. */
export function pickByNumber(
  state: PlainState,
  title: string,
  all: readonly PickerItem<string>[],
  follow: AnswerHandler,
  { current, query = '' }: PickerWishes<string> = {},
): void {
  const items = shownItems({ items: all, query })
  if (items.length === 0) {
    state.printer.print([`${sanitizeText(title)}: nothing to choose from`])
    return
  }
  const lines = items.map(({ label, about, unusable, value }, at) => {
    const now = value === current ? ', now' : ''
    const more = unusable === undefined ? about : `cannot be used: ${unusable}`
    return sanitizeText(`${at + 1} ${label}${now}${more === '' ? '' : `: ${more}`}`)
  })
  openPlainChoice(state, [sanitizeText(title), ...lines], {
    ways: `answer with a number; ${leaving}`,
    read(line) {
      const item = /^[1-9]\d*$/.test(line) ? items[Number(line) - 1] : undefined
      if (!item) return undefined
      const { unusable, value, label } = item
      return unusable === undefined
        ? () => follow(value)
        : () => state.printer.print([sanitizeText(`${label} cannot be used: ${unusable}`)])
    },
  })
}

/**
 * Lets the user pick an answer by number. If an answer counts only after all lines were read, all are picked
 * by letter, so that a number meant for another list cannot match.
 */
export function chooseByLine(
  state: PlainState,
  { title, lines, answers }: CommandChoice,
  follow: AnswerHandler,
): void {
  const isJudged = answers.some(({ isLast }) => isLast)
  const signs = answers.map(({ key }, at) => (isJudged ? key : String(at + 1)))
  const ways = answers.map(({ label }, at) => `${signs[at]} ${label}`).join('  ')
  const lineTexts = lines.map(({ text, foreign }) => (foreign ? '| ' : '') + sanitizeText(text))
  openPlainChoice(state, [sanitizeText(title), ...lineTexts], {
    ways: `answer with ${isJudged ? 'a letter' : 'a number'}: ${ways}; ${leaving}`,
    read(line) {
      const answer = answers[signs.indexOf(line)]
      if (!answer?.stays) return answer && (() => follow(answer.key))
      return async () => {
        await follow(answer.key)
        chooseByLine(state, { title, lines, answers }, follow)
      }
    },
  })
}

export function enterLine(
  state: PlainState,
  { title, lines, isSecret }: Parameters<CommandScreen['enter']>[0],
  follow: AnswerHandler,
): void {
  if (isSecret) {
    state.printer.print([`${sanitizeText(title)}: this screen would show what you type`])
    return
  }
  openPlainChoice(
    state,
    [title, ...lines].map((line) => sanitizeText(line)),
    { ways: leaving, read: (line) => (line === '' ? undefined : () => follow(line)) },
  )
}

/**
 * Handles a line for the open choice. An empty line or a command closes it, and an invalid or too early
 * answer leaves it open. Returns false without an open choice and for a command; for any other line true, so
 * that it is not sent to the model.
 */
export async function answerChoice(state: PlainState, line: string, at: number): Promise<boolean> {
  const {
    prompt: { choice },
  } = state
  if (!choice) return false
  const isCommand = /^[/!]/.test(line)
  const act = isCommand ? undefined : choice.read(line)
  if (act) {
    if (at - choice.since < minReadingMs)
      state.printer.print(['that line came before the choice could be read; answer again'])
    else {
      state.prompt.choice = undefined
      await act()
    }
  } else if (line === '' || isCommand) closeChoice(state)
  else state.printer.print([`not an answer: ${choice.ways}`])
  return !isCommand
}

export function closeChoice(state: PlainState): void {
  state.prompt.choice = undefined
  state.printer.print(['nothing was chosen'])
}
