// A question in plain lines with numbered options, for terminals that cannot redraw rows.
import { createInterface } from 'node:readline'
import { sanitizeText } from '../render/text/terminal-filter.ts'
import type { AnsweredQuestion, UserQuestion } from '../tool/ask.ts'
import type { PromptTerminal } from './approval/approval-prompt.ts'

type NumberedTerminal = Pick<PromptTerminal, 'input' | 'output'>

/**
 * Asks a question and returns the answer. Returns undefined if the user enters an empty line, the input ends
 * or the signal aborts.
 */
export async function askNumbered(
  question: UserQuestion,
  signal: AbortSignal,
  { input, output }: NumberedTerminal,
): Promise<AnsweredQuestion | undefined> {
  const { options } = question
  for (const [i, { label, description }] of options.entries()) {
    const more = description ? ` - ${sanitizeText(description)}` : ''
    output.write(`${i + 1}) ${sanitizeText(label)}${more}\n`)
  }
  const lines = createInterface({ input, terminal: false })
  // The reader listens from now on, so that a line typed while the question is printed counts.
  const typed = lines[Symbol.asyncIterator]()
  const stop = () => lines.close()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    output.write(`${wayToAnswer(question)}: `)
    for await (const line of typed) {
      const answer = readNumbered(line, question)
      if (answer !== 'neither') return answer
      output.write(`${wayToAnswer(question)}: `)
    }
    return undefined
  } finally {
    signal.removeEventListener('abort', stop)
    lines.close()
  }
}

function wayToAnswer({ options, allowFreeform }: UserQuestion): string {
  const number = options.length === 0 ? [] : [options.length === 1 ? 'Type 1' : `Type 1 to ${options.length}`]
  const words = allowFreeform ? [number.length > 0 ? 'your own words' : 'Type your answer'] : []
  return [...number, ...words, 'an empty line for none'].join(', or ')
}

/**
 * Reads a line with the number or the label of an option as that option. A number has no sign and no
 * leading zero. Other input is text if the question allows text, otherwise the result is `neither`. An
 * empty line gives undefined.
 */
function readNumbered(line: string, question: UserQuestion): AnsweredQuestion | undefined | 'neither' {
  const { id, options, allowFreeform } = question
  const typed = line.trim()
  if (typed === '') return undefined
  const numbered = /^[1-9]\d*$/.test(typed) ? options[Number(typed) - 1] : undefined
  const option = numbered ?? options.find(({ label }) => label.toLowerCase() === typed.toLowerCase())
  if (option) return { id, option: option.id }
  return allowFreeform ? { id, text: typed } : 'neither'
}
