// Everything a person has to see of a question before it is answered, as lines and as text.
import { sanitizeText } from '../render/text/terminal-filter.ts'
import type { UserQuestion, UserQuestionnaire } from '../tool/ask.ts'
import type { SourceLine } from './terminal/rows.ts'

/** First whose question it is; all of its own words stand behind a bar, and scroll away before ours do. */
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

/** All questions with their options, as text; behind a bar stands what others have written. */
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
  const own = allowFreeform ? [{ text: 'An answer in your own words is taken too.' }] : []
  return [...numbered, ...own, ...(required ? [{ text: 'The work cannot go on without an answer.' }] : [])]
}

const textOf = ({ text, foreign }: SourceLine) => (foreign ? `│ ${text}` : text)
