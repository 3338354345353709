// Finds the commands that a wrapper program would run.
import { type Assignment, plainWord, type Word } from './command.ts'
import { shells, type Wrapper, wrappers } from './wrappers.ts'

/** What stands inside of a wrapper's words. */
export interface Wrapped {
  /** How people are told: `sudo`, `bash -c`. */
  name: string
  /** Commands, as words. */
  inner: readonly (readonly Word[])[]
  /** Shell text still to be read. */
  scripts: readonly string[]
  /** Variables set for what it runs. */
  sets: readonly Assignment[]
  /** True when it may run more than that. */
  unseen: boolean
  moves: boolean
}

/** Undefined when the program is no wrapper. `stdin` is what it reads, where the line says so. */
export function unwrap(words: readonly Word[], stdin: string | undefined): Wrapped | undefined {
  const program = nameOf(words[0])
  if (shells.has(program)) return shell(program, words, stdin)
  if (program === 'find') return found(words)
  if (/^(?:fd|fdfind)$/.test(program)) return foundBy(words)
  if (program === 'trap') return trapped(words)
  if (/^ld-[\w.-]*\.so|^ld\.so/.test(program)) return known(program, words.slice(1), prefixWrapper, stdin)
  const sub = words[1]?.known ? `${program} ${words[1].text}` : ''
  if (Object.hasOwn(wrappers, sub)) return known(sub, words.slice(2), wrappers[sub] as Wrapper, stdin)
  if (!Object.hasOwn(wrappers, program)) return undefined
  // asking what a name stands for runs nothing
  if (program === 'command' && /^-[vV]$/.test(words[1]?.text ?? '')) return undefined
  return known(program, words.slice(1), wrappers[program] as Wrapper, stdin)
}

const prefixWrapper: Wrapper = {}

/** The last part of a program's path. */
export function nameOf(word: Word | undefined): string {
  return word?.known ? word.text.slice(word.text.lastIndexOf('/') + 1) : ''
}

/** A word that is added or decided when the wrapper runs. */
const later = (text: string): Word => ({ text, known: false, glob: false })

interface Scan {
  scripts: Word[]
  sets: Assignment[]
  rest: readonly Word[]
  /** An option that is not in the table, or a word that is not known. */
  stuck: boolean
}

function known(name: string, words: readonly Word[], table: Wrapper, stdin: string | undefined): Wrapped {
  const scan = table.mixed ? scanMixed(words, table) : scanOptions(words, table)
  const skipped = scan.rest.slice(0, table.skip ?? 0)
  const rest = scan.rest.slice(table.skip ?? 0)
  const texts = [...scan.scripts]
  if (table.rest === 'script' && rest.length > 0) texts.push(joined(rest))
  if (table.rest === 'scripts') texts.push(...rest)
  const inner = (table.rest ?? 'command') === 'command' && rest.length > 0 ? [rest] : []
  const fed = table.reads && rest.length === 0
  if (fed && stdin !== undefined) texts.push(plainWord(stdin))
  const unsure =
    scan.stuck ||
    table.vague === true ||
    skipped.some((word) => !word.known || word.glob) ||
    texts.some((word) => !word.known)
  return {
    name,
    inner: table.open ? inner.map((one) => [...replaced(one, markOf(words)), later('…')]) : inner,
    scripts: texts.map((word) => word.text),
    sets: scan.sets,
    unseen: unsure || fed === true || (table.rest === 'script' && table.open === true),
    moves: moved(words.slice(0, words.length - rest.length), table),
  }
}

function moved(words: readonly Word[], table: Wrapper): boolean {
  const names = typeof table.moves === 'string' ? table.moves.split(' ') : []
  return (
    table.moves === true ||
    names.some((name) =>
      words.some(({ text }) => text.startsWith(`--${name}`) || (/^-\w/.test(text) && text.includes(name))),
    )
  )
}

/** The text that xargs replaces by what it reads, beside the usual `{}`. */
function markOf(words: readonly Word[]): string {
  const at = words.findIndex((word) => /^-[0oprtx]*[IJ]/.test(word.text))
  const own = at < 0 ? '' : (words[at]?.text.replace(/^-[0oprtx]*[IJ]/, '') ?? '')
  return at < 0 ? '{}' : own || (words[at + 1]?.text ?? '{}')
}

/** Words that may become anything when the wrapper runs the command. */
function replaced(words: readonly Word[], mark = '{}'): Word[] {
  return words.map((word) =>
    /\{[^}]*\}/.test(word.text) || word.text.includes(mark) ? later(word.text) : word,
  )
}

function joined(words: readonly Word[]): Word {
  return {
    text: words.map((word) => word.text).join(' '),
    known: words.every((word) => word.known && !word.glob),
    glob: false,
  }
}

/** Options wherever they stand; the other words keep their order. */
function scanMixed(words: readonly Word[], table: Wrapper): Scan {
  const out: Scan = { scripts: [], sets: [], rest: [], stuck: false }
  let rest = words
  while (rest.length > 0) {
    const scan = scanOptions(rest, table)
    out.scripts.push(...scan.scripts)
    if (scan.stuck) return { ...out, stuck: true, rest: [...out.rest, ...scan.rest] }
    // the command itself begins after the words that are passed over: its options are its own
    if (
      (table.rest ?? 'command') !== 'none' &&
      table.rest !== 'scripts' &&
      out.rest.length >= (table.skip ?? 0)
    ) {
      return { ...out, rest: [...out.rest, ...scan.rest] }
    }
    out.rest = [...out.rest, ...scan.rest.slice(0, 1)]
    rest = scan.rest.slice(1)
  }
  return out
}

function scanOptions(words: readonly Word[], table: Wrapper): Scan {
  const scripts: Word[] = []
  const sets: Assignment[] = []
  const list = (names: string | undefined) => names?.split(' ') ?? []
  const long = list(table.long)
  const longValued = list(table.longValued)
  const script = list(table.script)
  const stuck = (rest: readonly Word[]): Scan => ({ scripts, sets, rest, stuck: true })
  let options = true
  let i = 0
  for (; i < words.length; i++) {
    const word = words[i] as Word
    const { text } = word
    // env takes every word with = in it for an assignment, whatever the name
    const name = table.assigns ? /^([^-=][^=]*?)\+?=/s.exec(text)?.[1] : undefined
    if (name !== undefined) {
      sets.push({ name, value: { ...word, text: text.slice(text.indexOf('=') + 1) } })
      continue
    }
    if (!options) break
    if (!word.known || word.glob) {
      if (text.startsWith('-')) return stuck(words.slice(i))
      break
    }
    if (text === '--') {
      if (!table.assigns) return { scripts, sets, rest: words.slice(i + 1), stuck: false }
      options = false
      continue
    }
    if (text.startsWith('--')) {
      const [name = '', ...value] = text.slice(2).split('=')
      const own = value.length > 0 ? plainWord(value.join('=')) : undefined
      if (script.includes(name)) scripts.push(own ?? words[++i] ?? plainWord(''))
      else if (longValued.includes(name)) i += own ? 0 : 1
      else if (!long.includes(name)) return stuck(words.slice(i + 1))
      continue
    }
    if (text.length > 1 && text.startsWith('-')) {
      const end = cluster(text, table, script)
      if (end === undefined) return stuck(words.slice(i + 1))
      if (end.kind === 'flags') continue
      const value = end.rest === '' ? words[++i] : plainWord(end.rest)
      if (end.kind === 'script') scripts.push(value ?? plainWord(''))
      continue
    }
    if (text === '-' && table.flags?.includes('-')) continue
    break
  }
  return { scripts, sets, rest: words.slice(i), stuck: false }
}

/** Reads a cluster of short options up to the first that takes a value. */
function cluster(text: string, table: Wrapper, script: readonly string[]) {
  for (let j = 1; j < text.length; j++) {
    const letter = text[j] as string
    const rest = text.slice(j + 1)
    if (script.includes(letter)) return { kind: 'script' as const, rest }
    if (table.valued?.includes(letter)) return { kind: 'value' as const, rest }
    if (!table.flags?.includes(letter)) return undefined
    // the numbers and texts that some flags take are attached
    if (/^[iel]$/.test(letter) && table.open && rest !== '') return { kind: 'flags' as const, rest: '' }
  }
  return { kind: 'flags' as const, rest: '' }
}

function shell(program: string, words: readonly Word[], stdin: string | undefined): Wrapped | undefined {
  let command = false
  let stuck = false
  let i = 1
  for (; i < words.length; i++) {
    const { text, known, glob } = words[i] as Word
    if (!known || glob) {
      stuck = true
      break
    }
    if (text === '--' || text === '-') {
      i++
      break
    }
    if (/^--(?:rcfile|init-file)$/.test(text)) stuck = true
    if (/^--(?:version|help)$/.test(text)) return undefined
    if (text.startsWith('--')) stuck ||= !/^--(?:norc|noprofile|posix|login|verbose)$/.test(text)
    else if (/^[-+]\w/.test(text)) {
      command ||= text.startsWith('-') && text.includes('c')
      if (/[oO]$/.test(text)) i++
      if (/[si]/.test(text)) stuck = true
    } else break
  }
  const operand = words[i]
  const name = command ? `${program} -c` : program
  const wrapped = { name, inner: [], sets: [], moves: false }
  // these read other languages, which the grammar only resembles
  stuck ||= /^(?:zsh|fish|t?csh|yash|posh)$/.test(program)
  if (command) {
    const scripts = operand ? [operand.text] : []
    return { ...wrapped, scripts, unseen: stuck || operand?.known !== true || operand.glob }
  }
  // a file is a program like any other; what it holds is not on the line
  if (operand && !stuck) return undefined
  return { ...wrapped, scripts: stdin === undefined ? [] : [stdin], unseen: true }
}

/** `find … -exec command words ;` and its kin. */
function found(words: readonly Word[]): Wrapped | undefined {
  const inner: Word[][] = []
  for (let i = 1; i < words.length; i++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[i]?.text ?? '')) continue
    const from = i + 1
    while (i < words.length && !/^(?:;|\+)$/.test(words[i]?.text ?? '')) i++
    inner.push(words.slice(from, i).map((word) => (word.text.includes('{}') ? later(word.text) : word)))
  }
  const unseen = words.some((word) => !word.known)
  if (inner.length === 0 && !unseen) return undefined
  return { name: 'find -exec', inner, scripts: [], sets: [], unseen, moves: false }
}

function foundBy(words: readonly Word[]): Wrapped | undefined {
  const at = words.findIndex(
    (word, i) => i > 0 && /^(?:-[a-zA-Z]*[xX]$|--exec(?:-batch)?(?:=|$))/.test(word.text),
  )
  if (at < 0) return undefined
  const own = /=(.*)$/s.exec(words[at]?.text ?? '')?.[1]
  const rest = own === undefined ? words.slice(at + 1) : [plainWord(own), ...words.slice(at + 1)]
  return {
    ...{ name: 'fd --exec', inner: [[...replaced(rest), later('…')]], scripts: [], sets: [], unseen: false },
    moves: false,
  }
}

/** `trap 'text' SIGNAL`. */
function trapped(words: readonly Word[]): Wrapped | undefined {
  const text = words[1]?.text === '--' ? words[2] : words[1]
  if (!text || /^(?:-|-l|-p|)$/.test(text.text)) return undefined
  return { name: 'trap', inner: [], scripts: [text.text], sets: [], unseen: !text.known, moves: false }
}
