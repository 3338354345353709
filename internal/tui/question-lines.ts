// A question as the user sees it before answering, as lines and as a text.
import { sanitizeText } from '../render/text/terminal-filter.ts'
import type { UserQuestion, UserQuestionnaire } from '../tool/ask.ts'
import type { SourceLine } from './terminal/rows.ts'

/**
 * Returns a line with the source of the question, then the question and its reason after a bar, which
 * marks text that is not from Anode. The options are shown after these lines, so a long text cannot
 * scroll them away.
 */
export function questionLines({ question, reason, topic }: UserQuestion, from: string): SourceLine[] {
  const label = topic ? `[${sanitizeText(topic)}] ` : ''
  const words = [
    `${label}${sanitizeText(question, { keepLines: true })}`,
    sanitizeText(reason ?? '', { keepLines: true }),
  ]
  return [
    { text: sanitizeText(`${from} asks`), style: { bold: true } },
    ...words
      .filter((text) => text !== '')
      .flatMap((text) => text.split('\n').map((line) => ({ text: line, foreign: true }))),
  ]
}

/** Returns all questions with their options as text. A bar marks text that is not from Anode. */
export function questionsText({ from, questions }: UserQuestionnaire): string {
  return questions
    .flatMap((question) => [...questionLines(question, from), ...optionLines(question)].map(textOf))
    .join('\n')
}

function optionLines({ options, allowFreeform, required }: UserQuestion): SourceLine[] {
  const numbered = options.map(({ label, description }, at) => {
    const more = description ? ` - ${sanitizeText(description)}` : ''
    return { text: `${at + 1}) ${sanitizeText(label)}${more}`, foreign: true }
  })
  const freeformLine = allowFreeform ? [{ text: 'You can also answer in your own words.' }] : []
  return [
    ...numbered,
    ...freeformLine,
    ...(required ? [{ text: 'The work cannot continue without an answer.' }] : []),
  ]
}

const textOf = ({ text, foreign }: SourceLine) => (foreign ? `│ ${text}` : text)
