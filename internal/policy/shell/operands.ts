// Every text in the words of a command that may name a file: operands, values of options, and pieces
// of compound values.

import type { ShellOperand, ShellPart } from './shell-part.ts'
import type { ShellWord, SimpleCommand } from './syntax/simple-command.ts'

/**
 * Largest numbers of texts of one command that may name a file, and of characters in them. Further texts are
 * skipped, and the result is marked as truncated.
 */
const maxTexts = 2_000
const maxChars = 131_072

/** Largest length of a path in characters. A longer text cannot be the name of a file. */
const maxPath = 4_096

/**
 * Returns the texts that may name a file, each once: from the first `count` words of a command and from its
 * redirections that read. `truncated` is true if a limit was reached.
 */
export function operandsOf(
  { words, reads }: SimpleCommand,
  count = words.length,
): Pick<ShellPart, 'operands' | 'truncated'> {
  const operandsByText = new Map<string, ShellOperand>()
  let chars = 0
  const add = (text: string, certain: boolean, glob: boolean) => {
    if (text === '' || text.length > maxPath) return true
    const operand = operandsByText.get(text)
    chars += operand ? 0 : text.length
    if (operandsByText.size >= maxTexts || chars > maxChars) return false
    operandsByText.set(text, {
      text,
      certain: certain && operand?.certain !== false,
      glob: glob || operand?.glob === true,
    })
    return true
  }
  const addWord = (word: ShellWord, i: number) => {
    if (i === 0 && !word.text.includes('/') && word.known) return true
    if ((word.glob || !word.known || !word.text.startsWith('-')) && !add(word.text, word.known, word.glob))
      return false
    if (i === 0 || /^[\w./%][\w./%+-]*$/.test(word.text)) return true
    for (const piece of piecesOf(word.text)) if (!add(piece, true, false)) return false
    return true
  }
  const all =
    words.slice(0, count).every(addWord) && reads.every((word) => add(word.text, word.known, word.glob))
  return { operands: [...operandsByText.values()], truncated: !all }
}

/** Yields values attached to options, and the texts around and between `=`, `:`, `,` and `@`. */
function* piecesOf(word: string): Generator<string> {
  // In a word of several short options, it depends on the program which letter takes the rest as its value,
  // so every rest is yielded.
  const cluster = /^[-+](?!-)([A-Za-z0-9#?]+)/.exec(word)
  if (cluster) for (let i = 2; i <= cluster[0].length; i++) yield word.slice(i)
  else if (/^[-+](?![-+])/.test(word)) yield word.slice(2)
  let last = -1
  for (const { index } of word.matchAll(/[=:,@]/g)) {
    if (last >= 0) yield word.slice(last + 1, index)
    yield word.slice(index + 1)
    yield word.slice(0, index)
    last = index
  }
}
