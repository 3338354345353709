// The check whether numbers in the words of a command request a very large output. Such a command does not
// count as reading.

/** Largest number of characters or lines that one command may produce from its words alone. */
const limit = 1_000_000

/** Programs whose numbers decide how much they print and not what they search for. */
const sized = new Set([
  'nl',
  'pr',
  'expand',
  'unexpand',
  'fmt',
  'column',
  'numfmt',
  'shuf',
  'xxd',
  'od',
  'hexdump',
])
/** Programs that accept a format like that of `printf` among other words. */
const formatting = new Set(['find', 'stat', 'awk', 'gawk', 'mawk', 'seq', 'date', 'numfmt', 'jq', 'git'])

/**
 * Returns why a command may print more than a million characters or lines, or use as much memory, because of
 * numbers in its words; otherwise undefined. `words` follow the name of the program. For `printf` and `seq`,
 * a width or count that is only known at run time counts as too large.
 */
export function findOversizedOutput(name: string, words: readonly string[]): string | undefined {
  if (name === 'printf') return judgeFormat(words)
  if (name === 'seq' && countOf(words) > limit) return 'seq may print more than a million lines'
  if (formatting.has(name)) {
    const wide = words.find((word) => widthOf(word) > limit)
    if (wide !== undefined) return `${name} may print more than a million characters for one field`
  }
  if (!sized.has(name)) return undefined
  const large = words.find((word) => numbersIn(word).some((number) => number > limit))
  return large === undefined
    ? undefined
    : `${name} ${large.slice(0, 40)} may print more than a million characters`
}

/**
 * Returns why `printf` may print too much; undefined if its words exclude that. `printf` repeats its format
 * until all arguments are printed.
 */
function judgeFormat(words: readonly string[]): string | undefined {
  const [format = '', ...rest] = words[0] === '--' ? words.slice(1) : words
  const why = 'printf may print more than a million characters for one field'
  if (widthOf(format) * Math.max(1, rest.length) > limit) return why
  if (!/%[-+ #0']*(?:\*|\d*\.\*)/.test(format)) return undefined
  const isOpen = (word: string) =>
    /[$`]/.test(word) || numbersIn(word).some((number) => number * rest.length > limit)
  return rest.some(isOpen) ? why : undefined
}

/** Returns the sum of widths and precisions in a text with `%` fields. */
function widthOf(text: string): number {
  let sum = 0
  for (const [, width = '0', precision = '0'] of text.matchAll(
    /%(?:[<>|]+\(\s*|[-+ #0']*)(\d*)(?:\.(\d*))?/g,
  ))
    sum += Number(width) + Number(precision)
  return sum
}

const numbersIn = (word: string) =>
  [...word.matchAll(/0[xX][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[kKMGTPE]?/g)].map(([text]) =>
    numberOf(text),
  )

function numberOf(text: string): number {
  const unit = 'kMGTPE'.indexOf((/^\d.*[kKMGTPE]$/.exec(text)?.[0].at(-1) ?? '').replace('K', 'k') || ' ')
  return unit < 0 ? Number(text) : Number(text.slice(0, -1)) * 1000 ** (unit + 1)
}

/**
 * Returns about how many lines `seq` prints; 0 without operands, and a negative number if the last number is
 * not reached in the direction of the step. Returns infinity for operands that are not plain numbers, and for
 * a step of 0 (minus infinity if the first number is above the last).
 */
function countOf(words: readonly string[]): number {
  const operands: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (/^-(?:w*[fs]|-format|-separator)$/.test(word)) at++
    else if (word !== '--' && !/^-(?!\d|\.|i)/.test(word)) operands.push(word)
  }
  if (operands.length === 0) return 0
  const numbers = operands.map((word) => (word.trim() === '' ? Number.NaN : Number(word)))
  const [first, step, last] =
    numbers.length === 1
      ? [1, 1, numbers[0]]
      : numbers.length === 2
        ? [numbers[0], 1, numbers[1]]
        : [numbers[0], numbers[1], numbers[2]]
  const count = ((last as number) - (first as number)) / (step as number)
  return Number.isNaN(count) ? Number.POSITIVE_INFINITY : count
}
