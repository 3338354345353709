// Filter that turns terminal output into plain text, without escape sequences and control characters.

/** Number of characters after which an unfinished escape sequence counts as text. */
const maxSequenceChars = 4_096

/**
 * Matches escape sequences: strings for the operating system and devices first, then control sequences,
 * then short escapes.
 */
const sequences = new RegExp(
  String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)` +
    String.raw`|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]+[0-~]|\x1b[0-OQ-WYZ\\\x60-~]`,
  'g',
)
const openString = /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*\x1b?$/
const openSequence = /(?:\x1b|(?:\x1b\[|\x9b)[0-?]*[ -/]*|\x1b[ -/]+)$/
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/** Returns a filter for text that arrives in arbitrary pieces; tabs, line feeds and carriage returns stay. */
export function createPlainOutput(): (piece: string) => string {
  let torn = ''
  return (piece) => {
    const whole = (torn + piece).replace(sequences, '')
    const openMatch = openString.exec(whole) ?? openSequence.exec(whole)
    const at =
      openMatch && whole.length - openMatch.index <= maxSequenceChars ? openMatch.index : whole.length
    torn = whole.slice(at)
    return whole.slice(0, at).replace(controls, '')
  }
}
