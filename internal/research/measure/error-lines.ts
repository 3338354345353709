// The lines of a failed command's output that say what went wrong.

/** Length in characters above which a summary loses its middle. */
const maxChars = 400
/** Number of lines at the end of the output that are searched. Errors further up are rarely the cause. */
const searchedLines = 60
const shownLines = 3

/**
 * Patterns of lines that programs print with every failure: stack frames, versions, hints and paths of logs.
 */
const noise = [
  /^(?:at\s.*[)\d]|from\s\S+:\d+|File ".*", line \d+|\.\.\. \d+ more|\d+: +[\w<{])/,
  /^(?:Node\.js v\d|node:internal|exit status \d|goroutine \d|stack backtrace:)/,
  /^(?:note: (?:run with|Some details)|For more information|Some errors have)/,
  /^npm (?:error|ERR!) (?:A complete log|[\w./~-]*\.log$)/,
  /^(?:[\s^~|_=-]+|-->.*)$/,
  /^\t*\/\S+:\d+ \+0x/,
  /^(?:throw |raise |\d* ?\| )/,
]

const named = new RegExp(
  String.raw`\b(?:\w*(?:error|exception|failure)|failed|panic(?:ked)?|assert\w*|fault|abort(?:ed)?|killed|` +
    String.raw`denied|cannot|undefined|fatal|not found|no such|out of memory)\b`,
  'i',
)

/** Matches lines that only report that something failed because of an earlier error. */
const follow =
  /^(?:make(?:\[\d+\])?: \*\*\*|error: (?:could not compile|aborting)|npm (?:error|ERR!)|FAILED\b)/i

/**
 * Returns at most three lines that name the error, joined by ` | `. Above 400 characters the text loses its
 * middle. Without such a line it returns the last three lines that are not noise, or undefined if there are
 * no such lines either.
 */
export function summarizeErrors(text: string): string | undefined {
  const lines = text.trimEnd().split('\n').slice(-searchedLines).flatMap(readLine)
  const causes = lines.flatMap((line, i) => (named.test(line) && !follow.test(line) ? [i] : []))
  const errorLines = causes.length > 0 ? pickCauses(lines, causes) : lines.slice(-shownLines)
  const summary = errorLines.join(' | ')
  return summary === '' ? undefined : cutText(summary)
}

function readLine(text: string): string[] {
  const line = text.trim()
  return line === '' || noise.some((pattern) => pattern.test(line)) ? [] : [line]
}

/**
 * Returns at most three lines: the first error and the last ones, because compilers print the cause first
 * and interpreters print it last. The line after an error that ends in a colon counts too, and can displace
 * the first error.
 */
function pickCauses(lines: readonly string[], causes: readonly number[]): string[] {
  const picked = causes.length <= shownLines ? causes : [causes[0] ?? 0, ...causes.slice(1 - shownLines)]
  // If an error line ends with a colon, its message is on the next line.
  const places = picked.flatMap((at) => (lines[at]?.endsWith(':') ? [at, at + 1] : [at]))
  return [...new Set(places)].slice(-shownLines).flatMap((at) => lines[at] ?? [])
}

/**
 * Returns a text of more than 400 characters without its middle, because an error often names its object at
 * the end. Returns a shorter text unchanged.
 */
function cutText(text: string): string {
  if (text.length <= maxChars) return text
  const half = Math.floor(maxChars / 2) - 1
  return `${text.slice(0, half).toWellFormed()} … ${text.slice(-half).toWellFormed()}`
}
