// Joining long lists of lines.

/**
 * Appends `more` to `lines`. Passing more than some 100,000 lines as arguments of one call would
 * end the program.
 */
export function appendLines(lines: string[], more: readonly string[]): void {
  for (const line of more) lines.push(line)
}
