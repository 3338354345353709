// Joining long lists of lines.

/** Adds them at the end of `lines`. As arguments of one call more than some 100,000 end the program. */
export function appendLines(lines: string[], more: readonly string[]): void {
  for (const line of more) lines.push(line)
}
