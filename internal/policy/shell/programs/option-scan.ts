// The split of a command's words into options, their values and operands, for a program whose options
// are all known.
import { type ProgramEntry, traitWords } from './program-table.ts'

export interface ScannedWords {
  /** Words of the command that are neither options nor values of options. */
  operands: readonly string[]
  /**
   * Values of options that the program uses as file names. For most options after an operand, the other
   * values too, because the program may read them as files.
   */
  files: readonly string[]
  /** Names of the options in the words, without dashes. */
  optionNames: ReadonlySet<string>
  /**
   * The values of the options, in the order of the words: the letter, the long name without dashes or the
   * whole word of the option, and the value.
   */
  values: readonly (readonly [option: string, text: string])[]
  /**
   * The file that an option writes, or the name of an option that changes files: the first of them
   * in the words.
   */
  writes: string | undefined
  /**
   * Number of words with a leading dash after the first operand, without values of options. Some programs
   * read such options as operands.
   */
  late: number
}

interface ScanState {
  operands: string[]
  files: string[]
  optionNames: Set<string>
  values: [string, string][]
  writes: string | undefined
  late: number
}

/**
 * Returns the scanned words, or as a text the first word or value that is not understood. `words` are the
 * words after the program.
 */
export function scanWords(words: readonly string[], program: ProgramEntry): ScannedWords | string {
  const out: ScanState = {
    operands: [],
    files: [],
    optionNames: new Set(),
    values: [],
    writes: undefined,
    late: 0,
  }
  const allowed = traitWords(program, 'values')
  let options = true
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    const whole = options ? program.options.get(`.${word}`) : undefined
    if (out.operands.length > 0 && /^-./.test(word)) out.late++
    if (options && word === '--') options = false
    else if (whole !== undefined || (options && isNumberOption(word, program))) {
      const wordCount = takeOption(out, program, word, whole ?? '', undefined, words, i)
      if (wordCount === undefined) return word
      i += wordCount
    } else if (options && /^[-+]./.test(word)) {
      const wordCount = word.startsWith('--')
        ? takeLong(out, word, program, words, i)
        : takeShort(out, word, program, words, i)
      if (wordCount === undefined) return word
      i += wordCount
    } else if (options && word.startsWith('+') && word !== '+') return word
    else out.operands.push(word)
  }
  const odd = allowed.length > 0 ? out.values.find(([, text]) => !allowed.includes(text)) : undefined
  return odd?.[1] ?? out
}

function isNumberOption(word: string, program: ProgramEntry): boolean {
  return /^[-+]\d+$/.test(word) && program.options.has(`${word[0]}#`)
}

function takeLong(out: ScanState, word: string, program: ProgramEntry, words: readonly string[], at: number) {
  const equalsAt = word.indexOf('=')
  const name = equalsAt < 0 ? word : word.slice(0, equalsAt)
  const marks = program.options.get(name)
  if (marks === undefined || (marks === '' && equalsAt >= 0)) return undefined
  return takeOption(
    out,
    program,
    name.slice(2),
    marks,
    equalsAt < 0 ? undefined : word.slice(equalsAt + 1),
    words,
    at,
  )
}

function takeShort(
  out: ScanState,
  word: string,
  program: ProgramEntry,
  words: readonly string[],
  at: number,
) {
  if (!word.startsWith('-')) return program.traits.has('plus') ? addOperand(out, word) : undefined
  const bundles = program.traits.get('bundles')
  for (let j = 1; j < word.length; j++) {
    const letter = word[j] as string
    const marks = program.options.get(letter)
    if (marks === undefined) return undefined
    if (marks === '') {
      out.optionNames.add(letter)
      if (bundles !== 'none') continue
      return j === word.length - 1 ? 0 : undefined
    }
    // If the value of this option is always the next word, further letters after it can only be a number.
    if (bundles === 'last' && !/^\d*$/.test(word.slice(j + 1))) return undefined
    return takeOption(out, program, letter, marks, word.slice(j + 1) || undefined, words, at)
  }
  return 0
}

function addOperand(out: ScanState, word: string): number {
  out.operands.push(word)
  return 0
}

/**
 * Reads an option with its values and returns how many of the next words they use; undefined if the option is
 * not understood or a value is missing.
 */
function takeOption(
  out: ScanState,
  program: ProgramEntry,
  name: string,
  marks: string,
  attached: string | undefined,
  words: readonly string[],
  at: number,
): number | undefined {
  // Some programs end their options at the first operand; they would read this option and its value as files.
  const late = out.operands.length > 0 && !program.options.has(`.${name}`)
  out.optionNames.add(name.replace(/^-+/, ''))
  let wordCount = 0
  for (const [i, mark] of [...marks].entries()) {
    if (mark === '?') {
      if (attached !== undefined) out.values.push([name, attached])
      continue
    }
    if (mark === '~') {
      out.writes ??= name
      continue
    }
    if (mark !== ':' && mark !== '@' && mark !== '>') return undefined
    const value = i === 0 && attached !== undefined ? attached : words[at + ++wordCount]
    if (value === undefined) return undefined
    out.values.push([name, value])
    if (mark === '>') out.writes ??= value
    if (mark !== ':' || late) out.files.push(value)
  }
  return wordCount
}
