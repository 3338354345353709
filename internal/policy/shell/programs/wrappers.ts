// The search for the commands that a wrapper, a program such as `sudo` or `xargs`, would start.
import { plainWord, type ShellAssignment, type ShellWord } from '../syntax/simple-command.ts'
import { findProgram, isListed, type ProgramEntry, traitWords } from './program-table.ts'

/** The commands inside the words of a wrapper. */
export interface WrappedCommands {
  /** Name of the wrapper on screens, such as `sudo` or `bash -c`. */
  name: string
  /** The commands that the wrapper runs, each as a list of words. */
  inner: readonly (readonly ShellWord[])[]
  /** Shell text that still has to be analyzed. */
  scripts: readonly string[]
  /** Variables that the wrapper sets for the commands that it runs. */
  sets: readonly ShellAssignment[]
  /** True if the wrapper may run further commands that the line does not show. */
  unseen: boolean
  moves: boolean
}

/**
 * Returns the wrapped commands; undefined if the program is not a wrapper, is a shell with a script file, or
 * runs nothing, as `command -v`. `stdin` is the text that the program reads, if it is known.
 */
export function unwrapCommand(
  words: readonly ShellWord[],
  stdin: string | undefined,
): WrappedCommands | undefined {
  const program = programName(words[0])
  const shell = findProgram('shells', program)
  if (shell) return shellText(program, words, stdin, shell)
  const finder = findProgram('finds', program)
  if (finder) return finder.traits.has('rest') ? foundBy(words, finder) : unwrapFinder(words, finder)
  if (program === 'trap') return unwrapTrap(words)
  // The dynamic loader only starts the program that follows, as `nohup` does.
  const loader = isListed('loaders', program) ? findProgram('wraps', 'nohup') : undefined
  if (loader) return unwrapByTable(program, words.slice(1), loader, stdin)
  const sub = words[1]?.known ? `${program} ${words[1].text}` : ''
  const pair = findProgram('wraps', sub)
  if (pair) return unwrapByTable(sub, words.slice(2), pair, stdin)
  const wrapper = findProgram('wraps', program)
  // `command -v` only prints what a name means and runs nothing
  if (program === 'command' && /^-[vV]$/.test(words[1]?.text ?? '')) return undefined
  return wrapper && unwrapByTable(program, words.slice(1), wrapper, stdin)
}

/** Returns the last component of the program's path; empty if it is missing or only known at run time. */
export function programName(word: ShellWord | undefined): string {
  return word?.known ? word.text.slice(word.text.lastIndexOf('/') + 1) : ''
}

/** Returns a word whose text is only known when the wrapper runs. */
const unknownWord = (text: string): ShellWord => ({ text, known: false, glob: false })

interface WrapperScan {
  scripts: ShellWord[]
  sets: ShellAssignment[]
  rest: readonly ShellWord[]
  /** True after an option that the table does not contain, or that is only known at run time. */
  stuck: boolean
}

function unwrapByTable(
  name: string,
  words: readonly ShellWord[],
  table: ProgramEntry,
  stdin: string | undefined,
): WrappedCommands {
  const has = (trait: string) => table.traits.has(trait)
  const skip = skipCountOf(table)
  const scan = has('mixed') ? scanMixed(words, table) : scanOptions(words, table)
  const between = scan.rest.slice(0, skip)
  const rest = scan.rest.slice(skip)
  const texts = [...scan.scripts]
  if (has('script') && rest.length > 0) texts.push(joinWords(rest))
  if (has('scripts')) texts.push(...rest)
  const whole = !has('script') && !has('scripts') && !has('none')
  const inner = whole && rest.length > 0 ? [rest] : []
  const fed = has('stdin') && inner.length === 0 && texts.length === 0
  if (fed && stdin !== undefined) texts.push(plainWord(stdin))
  const unsure =
    scan.stuck ||
    has('vague') ||
    between.some((word) => !word.known || word.glob) ||
    texts.some((word) => !word.known)
  return {
    name,
    inner: has('open') ? inner.map((one) => [...markUnknown(one, markOf(words)), unknownWord('…')]) : inner,
    scripts: texts.map((word) => word.text),
    sets: scan.sets,
    unseen: unsure || fed || (has('script') && has('open')),
    moves: changesFolder(words.slice(0, words.length - rest.length), table),
  }
}

/** Returns how many words a wrapper takes between its options and its command. */
const skipCountOf = (table: ProgramEntry) => Number(table.traits.get('skip') ?? 0)

function changesFolder(words: readonly ShellWord[], table: ProgramEntry): boolean {
  if (table.traits.has('moves')) return true
  const names = [...table.options].filter(([, marks]) => marks.includes('&')).map(([name]) => name)
  return names.some((name) =>
    words.some(({ text }) =>
      name.startsWith('--') ? text.startsWith(name) : /^-\w/.test(text) && text.includes(name),
    ),
  )
}

/** Returns the text that `-I` or `-J` of `xargs` names and that its input replaces; otherwise `{}`. */
function markOf(words: readonly ShellWord[]): string {
  const at = words.findIndex((word) => /^-[0oprtx]*[IJ]/.test(word.text))
  const attachedText = at < 0 ? '' : (words[at]?.text.replace(/^-[0oprtx]*[IJ]/, '') ?? '')
  return at < 0 ? '{}' : attachedText || (words[at + 1]?.text ?? '{}')
}

/** Returns the words. A word in which the wrapper replaces text is marked as unknown. */
function markUnknown(words: readonly ShellWord[], mark = '{}'): ShellWord[] {
  return words.map((word) =>
    /\{[^}]*\}/.test(word.text) || word.text.includes(mark) ? unknownWord(word.text) : word,
  )
}

function joinWords(words: readonly ShellWord[]): ShellWord {
  return {
    text: words.map((word) => word.text).join(' '),
    known: words.every((word) => word.known && !word.glob),
    glob: false,
  }
}

/** Reads the options before the wrapped command, also after other words. These words keep their order. */
function scanMixed(words: readonly ShellWord[], table: ProgramEntry): WrapperScan {
  const ends = !table.traits.has('none') && !table.traits.has('scripts')
  const out: WrapperScan = { scripts: [], sets: [], rest: [], stuck: false }
  let rest = words
  while (rest.length > 0) {
    const scan = scanOptions(rest, table)
    out.scripts.push(...scan.scripts)
    if (scan.stuck) return { ...out, stuck: true, rest: [...out.rest, ...scan.rest] }
    // The command begins after the words that the wrapper takes. Later options belong to the command.
    if (ends && out.rest.length >= skipCountOf(table)) return { ...out, rest: [...out.rest, ...scan.rest] }
    out.rest = [...out.rest, ...scan.rest.slice(0, 1)]
    rest = scan.rest.slice(1)
  }
  return out
}

function scanOptions(words: readonly ShellWord[], table: ProgramEntry): WrapperScan {
  const scan: WrapperScan = { scripts: [], sets: [], rest: [], stuck: false }
  const stuck = (rest: readonly ShellWord[]): WrapperScan => ({ ...scan, rest, stuck: true })
  const assigns = table.traits.has('assigns')
  let options = true
  let i = 0
  for (; i < words.length; i++) {
    const word = words[i] as ShellWord
    const { text } = word
    // env reads every word with = in it as an assignment, with any name
    const name = assigns ? /^([^-=][^=]*?)\+?=/s.exec(text)?.[1] : undefined
    if (name !== undefined) {
      scan.sets.push({ name, value: { ...word, text: text.slice(text.indexOf('=') + 1) } })
      continue
    }
    if (!options) break
    if (!word.known || word.glob) {
      if (text.startsWith('-')) return stuck(words.slice(i))
      break
    }
    if (text === '--') {
      if (!assigns) return { ...scan, rest: words.slice(i + 1) }
      options = false
    } else if (text.length > 1 && text.startsWith('-')) {
      const count = text.startsWith('--') ? readLong(words, i, table, scan) : readShort(words, i, table, scan)
      if (count === undefined) return stuck(words.slice(i + 1))
      i += count
    } else if (text !== '-' || !table.traits.has('dash')) break
  }
  return { ...scan, rest: words.slice(i) }
}

/**
 * Reads a long option and returns how many of the next words belong to it; undefined for an unknown option.
 */
function readLong(
  words: readonly ShellWord[],
  at: number,
  table: ProgramEntry,
  scan: WrapperScan,
): number | undefined {
  const { text } = words[at] as ShellWord
  const equalsAt = text.indexOf('=')
  const marks = table.options.get(equalsAt < 0 ? text : text.slice(0, equalsAt))
  if (marks === undefined) return undefined
  const valueWord = equalsAt < 0 ? undefined : plainWord(text.slice(equalsAt + 1))
  if (marks.includes('$')) scan.scripts.push(valueWord ?? words[at + 1] ?? plainWord(''))
  return valueWord === undefined && /[:$]/.test(marks) ? 1 : 0
}

/**
 * Reads a cluster of short options and returns how many next words belong to it; undefined if one is unknown.
 */
function readShort(
  words: readonly ShellWord[],
  at: number,
  table: ProgramEntry,
  scan: WrapperScan,
): number | undefined {
  const { text } = words[at] as ShellWord
  for (let j = 1; j < text.length; j++) {
    const letter = text[j] as string
    const rest = text.slice(j + 1)
    const marks = table.options.get(letter)
    if (marks === undefined) return undefined
    const value = rest === '' ? (words[at + 1] ?? plainWord('')) : plainWord(rest)
    if (marks.includes('$')) scan.scripts.push(value)
    // where a file is expected, a pipe or an exclamation mark names a program
    else if (marks !== '' && /^[|!]/.test(value.text))
      scan.scripts.push({ ...value, text: value.text.slice(1) })
    if (/[:$]/.test(marks)) return rest === '' ? 1 : 0
    // the value of these options may follow the letter directly, up to the end of the word
    if (/^[iel]$/.test(letter) && table.traits.has('open') && rest !== '') return 0
  }
  return 0
}

function shellText(
  program: string,
  words: readonly ShellWord[],
  stdin: string | undefined,
  shell: ProgramEntry,
): WrappedCommands | undefined {
  let command = false
  let stuck = shell.traits.has('foreign')
  let i = 1
  for (; i < words.length; i++) {
    const { text, known: isKnown, glob } = words[i] as ShellWord
    if (!isKnown || glob) {
      stuck = true
      break
    }
    if (text === '--' || text === '-') {
      i++
      break
    }
    if (traitWords(shell, 'idle').includes(text)) return undefined
    if (text.startsWith('--')) stuck ||= !shell.options.has(text)
    else if (/^[-+]\w/.test(text)) {
      command ||= text.startsWith('-') && text.includes('c')
      if (/[oO]$/.test(text)) i++
      if (/[si]/.test(text)) stuck = true
    } else break
  }
  const operand = words[i]
  const name = command ? `${program} -c` : program
  const wrapped = { name, inner: [], sets: [], moves: false }
  if (command) {
    const scripts = operand ? [operand.text] : []
    return { ...wrapped, scripts, unseen: stuck || operand?.known !== true || operand.glob }
  }
  // The operand is a script file. Such a file is judged like any other program, because the line does not
  // show its content.
  if (operand && !stuck) return undefined
  return { ...wrapped, scripts: stdin === undefined ? [] : [stdin], unseen: true }
}

/** Returns true if the word is an option of `find` or `fd` that is followed by a command. */
export function startsCommand({ options }: ProgramEntry, word: string): boolean {
  if (options.has(`.${word}`)) return true
  if (word.startsWith('--')) return options.has(word.split('=')[0] as string)
  return /^-[a-zA-Z]+$/.test(word) && options.has(word.at(-1) as string)
}

/** Returns the commands after options such as `-exec`; undefined without one if all words are known. */
function unwrapFinder(words: readonly ShellWord[], finder: ProgramEntry): WrappedCommands | undefined {
  const inner: ShellWord[][] = []
  for (let i = 1; i < words.length; i++) {
    if (!startsCommand(finder, words[i]?.text ?? '')) continue
    const from = i + 1
    while (i < words.length && !/^(?:;|\+)$/.test(words[i]?.text ?? '')) i++
    inner.push(words.slice(from, i).map((word) => (word.text.includes('{}') ? unknownWord(word.text) : word)))
  }
  const unseen = words.some((word) => !word.known)
  if (inner.length === 0 && !unseen) return undefined
  return { name: 'find -exec', inner, scripts: [], sets: [], unseen, moves: false }
}

/** Returns the command of `fd -x command words` or `fd --exec=command words`; undefined without one. */
function foundBy(words: readonly ShellWord[], finder: ProgramEntry): WrappedCommands | undefined {
  const at = words.findIndex((word, i) => i > 0 && startsCommand(finder, word.text))
  if (at < 0) return undefined
  const text = /=(.*)$/s.exec(words[at]?.text ?? '')?.[1]
  const rest = text === undefined ? words.slice(at + 1) : [plainWord(text), ...words.slice(at + 1)]
  const inner = [[...markUnknown(rest), unknownWord('…')]]
  return { name: 'fd --exec', inner, scripts: [], sets: [], unseen: false, moves: false }
}

/** Returns the script of `trap 'text' SIGNAL`; undefined if no script would run, as for an empty text. */
function unwrapTrap(words: readonly ShellWord[]): WrappedCommands | undefined {
  const text = words[1]?.text === '--' ? words[2] : words[1]
  if (!text || /^(?:-|-l|-p|)$/.test(text.text)) return undefined
  return { name: 'trap', inner: [], scripts: [text.text], sets: [], unseen: !text.known, moves: false }
}
