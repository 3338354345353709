// The sentence that names words of a question which no passage contains: its form, and its parser.

/** Returns `no passage contains "Kafka" or "quux"`. */
export const describeAbsent = (words: readonly string[]): string =>
  `no passage contains ${words.map((word) => `"${word}"`).join(' or ')}`

/**
 * Returns the words in a sentence of `describeAbsent`; empty for any other text. Studies that were stored
 * before the words had quotes have `no passage holds Kafka, quux`.
 */
export function readAbsent(gap: string): string[] {
  const stored = /^no passage holds (.+)$/.exec(gap)?.[1]
  if (stored !== undefined) return stored.split(', ')
  const words = /^no passage contains "(.+)"$/.exec(gap)?.[1]
  return words?.split('" or "') ?? []
}
