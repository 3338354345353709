// The table of known programs, read from program-table.md, with their options and operands. A program has an
// entry for each of its roles, such as `reads` (only reads files) or `wraps` (runs other commands).
import text from './program-table.md'

type ProgramRole =
  | 'reads'
  | 'version'
  | 'harmless'
  | 'wraps'
  | 'shells'
  | 'interprets'
  | 'risks'
  | 'builds'
  | 'git'
  | 'git risks'
  | 'commits'
  | 'loopback'
  | 'effects'
  | 'finds'
  | 'lists'
  | 'options'

/** What the table contains about a program in one role. */
export interface ProgramEntry {
  /**
   * Options of the program: letters, long names (with `--`), whole words (with a dot before them), and
   * `-#` or `+#` for numbers. The value is a text of marks, such as `:` for each text value or `!` for
   * code; see program-table.md.
   */
  options: ReadonlyMap<string, string>
  /**
   * Words of the entry that do not begin with a dash, a plus, a dot or a slash, such as `shell` or
   * `given=e,f`. The value is the text after `=`, or empty.
   */
  traits: ReadonlyMap<string, string>
  /**
   * Regular expressions for words: those that make the program risky, or those that belong to a list
   * of the table.
   */
  patterns: readonly RegExp[]
}

type ProgramTable = Map<string, Map<string, ProgramEntry>>

let table: ProgramTable | undefined

/**
 * Returns the entry of a program in one role; undefined without one. `name` is its bare name, for some
 * programs with the subcommand.
 */
export function findProgram(role: ProgramRole, name: string): ProgramEntry | undefined {
  table ??= readTable(text)
  return table.get(role)?.get(name)
}

/**
 * Returns true if a word is in a list of the table or matches one of its patterns. Throws for an unknown
 * list, because an empty list could pass for a permission.
 */
export function isListed(list: string, word: string): boolean {
  const entry = findProgram('lists', list)
  if (!entry) throw new Error(`the table of programs has no list ${JSON.stringify(list)}`)
  return entry.traits.has(word) || entry.patterns.some((pattern) => pattern.test(word))
}

/**
 * Returns true if the table contains everything that the program may start. Other words of such a program
 * cannot be a command.
 */
export function knowsProgram(name: string): boolean {
  const risk = findProgram('risks', name)
  if (risk?.traits.has('sets') || risk?.traits.has('shell')) return true
  return (['reads', 'harmless', 'wraps'] as const).some((role) => findProgram(role, name) !== undefined)
}

/** Returns every entry of the table, for tests: role, name, program. */
export function listPrograms(): [role: string, name: string, program: ProgramEntry][] {
  table ??= readTable(text)
  return [...table].flatMap(([role, programs]) =>
    [...programs].map(([name, program]): [string, string, ProgramEntry] => [role, name, program]),
  )
}

/**
 * Parses the table. Throws at a name or a word that has no valid form, so that a mistake in the table cannot
 * count as a permission.
 */
export function readTable(source: string): ProgramTable {
  const out: ProgramTable = new Map()
  const shared = new Map<string, string>()
  const lines = source.split('\n')
  let role = ''
  for (const line of lines) {
    if (line.startsWith('## ')) role = line.slice(3).trim()
    const separatorAt = line.indexOf(' |')
    if (role === 'options' && separatorAt > 0)
      shared.set(`=${line.slice(0, separatorAt)}`, line.slice(separatorAt + 2))
  }
  for (const line of lines) {
    if (line.startsWith('## ')) {
      role = line.slice(3).trim()
      out.set(role, new Map())
    }
    const separatorAt = line.indexOf(' |')
    if (role === '' || separatorAt < 1) continue
    const rest = line.slice(separatorAt + 2).replace(/(?<= )=\w+/, (name) => shared.get(name) ?? name)
    const program = readProgram(rest.split(' ').filter(Boolean), role)
    for (const name of line.slice(0, separatorAt).split(', ')) {
      if (!/^\S+(?: \S+)?$/.test(name)) throw new Error(`the table of programs: ${JSON.stringify(name)}`)
      out.get(role)?.set(name, mergeProgram(out.get(role)?.get(name), program))
    }
  }
  return out
}

function readProgram(words: readonly string[], role: string): ProgramEntry {
  const options = new Map<string, string>()
  const traits = new Map<string, string>()
  const patterns: RegExp[] = []
  for (const word of words) {
    // some whole words contain mark characters, such as the `!` of find
    const marks = (word.startsWith('.') ? /(?<=..)[:@>?~]*$/ : /[:@>$!.?&~]*$/).exec(word)?.[0] ?? ''
    const name = word.slice(0, word.length - marks.length)
    if (/^\/.+\/$/.test(word)) patterns.push(new RegExp(word.slice(1, -1), 's'))
    else if (role === 'builds' && !word.includes('=')) traits.set(word, '')
    else if (/^--[\w-]+$/.test(name)) options.set(name, marks)
    else if (/^[-+]#$/.test(name)) options.set(name, marks)
    else if (/^-\w+$/.test(name)) for (const letter of name.slice(1)) options.set(letter, marks)
    else if (name.startsWith('.')) options.set(name, marks)
    else if (/^[\w-]+(?:=.*)?$/s.test(word)) {
      const [key = '', ...value] = word.split('=')
      traits.set(key, value.join('='))
    } else throw new Error(`the table of programs: ${JSON.stringify(word)}`)
  }
  return { options, traits, patterns }
}

/** Merges two entries of a program, because the table may have several lines for it in one role. */
function mergeProgram(one: ProgramEntry | undefined, two: ProgramEntry): ProgramEntry {
  return one === undefined
    ? two
    : {
        options: new Map([...one.options, ...two.options]),
        traits: new Map([...one.traits, ...two.traits]),
        patterns: [...one.patterns, ...two.patterns],
      }
}

/** Returns the list after `=` of a trait: `e` and `f` for `given=e,f`. Empty without the trait. */
export function traitWords(program: ProgramEntry, name: string): readonly string[] {
  return program.traits.get(name)?.split(',').filter(Boolean) ?? []
}
