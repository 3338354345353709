// Counts the lines of a text.

/** Returns the number of lines. A final line end begins no line. */
export function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
