// Wrong input for every command, made from the table of commands: lines to type, and the rules for
// every error message.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandOption, commonOptions, type Verb } from '../../cmd/anode/verb.ts'
import { type Done, type World, world } from './anode.ts'

export interface WrongLine {
  name: string
  /** The kind of mistake, for any command. */
  kind: string
  words: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Whether the input must be rejected: it is wrong for every command that takes it. */
  isRefused: boolean
}

/** Arguments that a command needs so that it checks the rest. The default is `x`. */
const usefulWords: Readonly<Record<string, readonly string[]>> = {
  execute: ['hi there'],
  'runs start': ['hi there'],
  study: ['what is there to find'],
  'tools use': ['list_skills'],
  'tools show': ['read'],
  'permissions explain': ['list_skills'],
  'config set': ['shell.timeout', '1'],
  'cron add': ['@daily', '--execute', 'look'],
  'cron next': ['@daily'],
  'research cpu': ['true'],
  'mcp add': ['x', '--', 'true'],
  render: ['spec.json'],
}

/** Commands that run until they are stopped. */
const staysOpen = new Set(['serve start', 'cron run'])
/** Commands that return the exit code of the command that they run. */
const passesOn = new Set(['research cpu'])

const needed = (verb: Verb) =>
  usefulWords[verb.name] ??
  (verb.positionals ?? []).filter(({ required }) => required).map(({ choices }) => choices?.[0] ?? 'x')

const flagOf = (name: string) => (name.length === 1 ? `-${name}` : `--${name}`)
const optionsOf = (verb: Verb): [string, CommandOption][] =>
  Object.entries({ ...verb.options, ...commonOptions })

/** Creates files and directories that no command can use for their purpose. */
export function openWrongWorld(): World & { broken: string; below: string } {
  const at = world()
  at.put('spec.json', '{"component":"text","props":{"text":"a"}}')
  at.put('file', 'text\n')
  at.put('empty', '')
  at.put('broken.json', '{"model":')
  mkdirSync(join(at.dir, 'folder'))
  writeFileSync(join(at.dir, 'unreadable'), 'secret')
  chmodSync(join(at.dir, 'unreadable'), 0)
  return { ...at, broken: join(at.dir, 'broken.json'), below: join(at.dir, 'file', 'below') }
}

/** Returns every wrong line of every command. */
export function listWrongLines(
  verbs: readonly Verb[],
  at: { broken: string; below: string },
): readonly WrongLine[] {
  const isPossible = (verb: Verb) => !staysOpen.has(verb.name) && !passesOn.has(verb.name)
  const lines = verbs.flatMap((verb) =>
    linesOf(verb, at).filter(({ isRefused }) => isRefused || isPossible(verb)),
  )
  // two commands may share a verb
  return [...new Map(lines.map((line) => [line.name, line])).values()]
}

function linesOf(verb: Verb, at: { broken: string; below: string }): WrongLine[] {
  const path = verb.name.split(' ')
  const words = [...path, ...needed(verb)]
  const model = 'model' in verb.options ? ['--model', 'builtin/extract'] : []
  const whole = [...words, ...model]
  const line = (kind: string, more: readonly string[], isRefused = true): WrongLine => ({
    ...{
      name: `${verb.name}: ${kind}`,
      kind: kind.replace(/^--?[a-zA-Z][\w-]*/, 'a flag'),
      words: more,
      isRefused,
    },
  })
  const lines = [
    { ...line('unwritable data', whole, false), env: { ANODE_DATA_DIR: at.below } },
    { ...line('unwritable configuration', whole, false), env: { XDG_CONFIG_HOME: at.below } },
    { ...line('unwritable cache', whole, false), env: { XDG_CACHE_HOME: at.below } },
    { ...line('broken configuration', whole, false), env: { ANODE_CONFIG: at.broken } },
    { ...line('no configuration', whole, false), env: { ANODE_CONFIG: '/nowhere/c.json' } },
    line('nothing', path, false),
  ]
  // a word after `--` is not a flag
  const rest = whole.includes('--') ? whole.indexOf('--') : whole.length
  if (!verb.takesExtra) lines.push(line('unknown flag', whole.toSpliced(rest, 0, '--no-such-flag-there')))
  const positionals = verb.positionals ?? []
  for (const [i, { many }] of positionals.entries()) {
    const others = needed(verb)
    lines.push(line(`empty word`, [...path, ...others.slice(0, i), '', ...model], false))
    for (const word of ['nowhere/none', 'folder', 'file', 'unreadable', '-', '\x1b[31mred', 'a\nb'])
      lines.push(
        line(`word ${JSON.stringify(word)}`, [...path, ...others.slice(0, i), word, ...model], false),
      )
    if (!many && i === positionals.length - 1)
      lines.push(line('too many words', [...path, ...positionals.map(() => 'x'), 'extra', ...model]))
  }
  for (const [name, option] of optionsOf(verb)) lines.push(...linesOfOption(name, option, whole, line))
  return lines
}

function linesOfOption(
  name: string,
  { type, choices, bare, value }: CommandOption,
  words: readonly string[],
  line: (kind: string, words: readonly string[], isRefused?: boolean) => WrongLine,
): WrongLine[] {
  const flag = flagOf(name)
  const rest = words.includes('--') ? words.indexOf('--') : words.length
  const put = (...more: string[]) => words.toSpliced(rest, 0, ...more)
  if (type === 'boolean') return []
  const lines: WrongLine[] = []
  if (!bare) {
    lines.push(line(`${flag} without a value`, put(flag)))
    lines.push(line(`${flag} with an empty value`, put(name.length === 1 ? flag : `${flag}=`)))
  }
  if (type === 'number')
    for (const number of ['many', '-1', '0', '1.5', '1e99'])
      lines.push(line(`${flag} ${number}`, put(`${flag}=${number}`), number === 'many'))
  else if (choices) lines.push(line(`${flag} nonesuch`, put(flag, 'nonesuch')))
  else if (value === 'FILE' || value === 'DIR')
    for (const place of ['nowhere/none', 'folder', 'file', 'file/below', 'unreadable', 'empty'])
      lines.push(line(`${flag} ${place}`, put(flag, place), false))
  else lines.push(line(`${flag} nonesuch`, put(flag, 'nonesuch'), false))
  return lines
}

/**
 * Returns the broken rules for an error message, which users and programs rely on; empty if all
 * rules are met.
 */
export function findBreaches({ isRefused }: WrongLine, { code, out, err }: Done, ms: number): string[] {
  const breaches: string[] = []
  const claim = (holds: boolean, what: string) => {
    if (!holds) breaches.push(what)
  }
  claim([0, 1, 2, 3, 4, 5, 10, 11].includes(code ?? -1), `exit code ${code}`)
  claim(!isRefused || code === 2, `exit code ${code} instead of 2`)
  // an input that is accepted may work for longer
  claim(ms < (code === 0 || code === 3 ? 120_000 : 10_000), `${ms} ms`)
  claim(!/^ {4}at |bug in Anode|\[object |\bundefined\b|\bNaN\b/m.test(err), 'words of a program')
  claim(!/\x1b/.test(out + err), 'escape sequences')
  if (code !== 2) return breaches
  const lines = err.trimEnd().split('\n')
  claim(out === '' || isJson(out), 'standard output')
  claim(lines.length >= 2 && lines.length <= 4, `${lines.length} lines`)
  claim(!/\bE(?:NOENT|NOTDIR|ISDIR|ACCES|EXIST|INVAL|ROFS)\b/.test(err), 'code of the system')
  return breaches
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
