// Code fences of Markdown that the text between them cannot close.

/** Returns at least three backticks, more than any run of backticks in the text. */
export function fenceOf(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((best, run) => Math.max(best, run.length), 2)
  return '`'.repeat(longest + 1)
}

/** Returns the text between two fences, the first one with the name of the text's language. */
export function fenceText(text: string, language = ''): string {
  const fence = fenceOf(text)
  return `${fence}${language}\n${text}\n${fence}`
}
