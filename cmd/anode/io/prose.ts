// Texts for people on standard output: broken between words on a terminal, untouched for programs.

import type { CommandIo } from '../verb.ts'
import { foldMessage } from './command-output.ts'

/** Cells of a line of prose: a longer one reads badly. */
const widest = 100

/** Lines as they are for a pipe; for a terminal broken between words where they are longer than it. */
export function fitLines(text: string, { stdout }: Pick<CommandIo, 'stdout'>): string {
  return stdout.columns ? foldMessage(text, stdout.columns) : text
}

/** A page of Markdown: drawn for a terminal, as it stands for a pipe. */
export async function drawPage(
  text: string,
  { stdout, env }: Pick<CommandIo, 'stdout' | 'env'>,
): Promise<string> {
  if (!stdout.isTTY) return text
  const [{ drawMarkdown }, { terminalOptions }] = await Promise.all([
    import('../../../internal/render/markdown/markdown.ts'),
    import('../../../internal/render/terminal.ts'),
  ])
  const look = terminalOptions({ env, stream: stdout })
  // what a page says of its making is for those who change it
  const page = text.replace(/^<!--.*?-->\n+/s, '')
  const lines = drawMarkdown(page, { ...look, width: Math.min(look.width, widest), all: true })
  return `${lines.join('\n')}\n`
}

/**
 * Says why a list has no rows, on standard error: on standard output a script would count it as one. A whole
 * sentence, and the command that would give it rows.
 */
export function explainNoRows(text: string, { stderr }: Pick<CommandIo, 'stderr'>): void {
  stderr.write(`${text}\n`)
}
