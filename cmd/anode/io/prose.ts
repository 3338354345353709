// Text for users on standard output, which is wrapped on a terminal and unchanged for programs.

import { terminalOptions } from '../../../internal/render/terminal.ts'
import type { CommandIo } from '../verb.ts'
import { foldMessage } from './command-output.ts'

/** Largest width of a page of Markdown in cells, because longer lines of prose are hard to read. */
const widest = 100

/**
 * Wraps lines that are longer than the width of the terminal, between words. If the width is unknown or the
 * output is not a terminal, returns the text unchanged.
 */
export function fitLines(text: string, { stdout }: Pick<CommandIo, 'stdout'>): string {
  return stdout.columns ? foldMessage(text, stdout.columns) : text
}

/**
 * Returns a page of Markdown as lines for a terminal. If standard output is not a terminal, returns
 * the text unchanged.
 */
export async function drawPage(
  text: string,
  { stdout, env }: Pick<CommandIo, 'stdout' | 'env'>,
): Promise<string> {
  if (!stdout.isTTY) return text
  const { drawMarkdown } = await import('../../../internal/render/markdown/markdown.ts')
  const look = terminalOptions({ env, stream: stdout })
  // The comment at the start of a page is for contributors, so it is removed.
  const page = text.replace(/^<!--.*?-->\n+/s, '')
  const lines = drawMarkdown(page, {
    ...look,
    width: Math.min(look.width, widest),
    all: true,
    hasWideCode: true,
  })
  return `${lines.join('\n')}\n`
}

/**
 * Prints on standard error why a list has no rows, because a script would count the text on standard output
 * as a row. `text` contains full sentences and usually names the command that creates rows.
 */
export function explainNoRows(text: string, { stderr }: Pick<CommandIo, 'stderr'>): void {
  stderr.write(`${text}\n`)
}
