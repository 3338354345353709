// The strict parser for a command's words, based on the library yargs-parser. It rejects words that the
// command does not define.
import parser from 'yargs-parser'
import { UserError } from '../../internal/base/errors.ts'
import { findNearest, suggestNames } from '../../internal/base/text/name-suggestion.ts'
import {
  type CommandArgs,
  type CommandOption,
  commonOptions,
  listArg,
  type OptionTable,
  type Verb,
} from './verb.ts'

/**
 * Parses the words of a command. Throws UserError (exit 2) with all problems of the command line. With
 * `--help`, missing and unexpected words without a flag are accepted.
 */
export function parseArgs(verb: Verb, words: readonly string[]): CommandArgs {
  const options: Record<string, CommandOption> = {
    ...verb.options,
    ...impliedOutputOptions(verb.options),
    ...commonOptions,
  }
  const of = (type: CommandOption['type']) =>
    Object.keys(options).filter((name) => options[name]?.type === type)
  const detailed = parser.detailed(joinDash(words), {
    string: [...of('string'), ...of('number')],
    boolean: of('boolean'),
    array: of('array'),
    alias: Object.fromEntries(
      Object.entries(options).flatMap(([name, o]) => (o.alias ? [[name, [o.alias]]] : [])),
    ),
    configuration: {
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'populate--': true,
      'boolean-negation': true,
      'short-option-groups': true,
    },
  })
  const issues: string[] = []
  const {
    _: rest,
    '--': after = [],
    ...flags
  } = detailed.argv as Record<string, unknown> & { _: unknown[]; '--'?: string[] }
  if (detailed.error) issues.push(detailed.error.message)
  const args: Record<string, CommandArgs[string]> = {}
  for (const [name, value] of Object.entries(flags)) {
    const option = options[name]
    if (option) {
      const read = readValue(name, option, value, issues)
      if (read !== undefined) args[name] = read
    } else if (isAlias(options, name)) continue
    else if (verb.takesExtra) {
      args.extra = [...listArg(args, 'extra'), ...[value].flat().map((item) => `${name}=${item}`)]
    } else issues.push(unknownFlag(verb, options, name))
  }
  settleOutputFlags(verb.options, args, issues)
  for (const [name, option] of Object.entries(options)) {
    if (args[name] === undefined && option.default !== undefined) args[name] = option.default
  }
  // Words after `--` are also stored separately, so that a command can see which words the user
  // quoted this way.
  if (after.length > 0) args['--'] = after.map(String)
  if (args.help !== true) placeWords(verb, [...rest.map(String), ...after.map(String)], args, issues)
  if (issues.length > 0) {
    throw new UserError(issues.join('; '), {
      hint: `usage: anode ${verb.usage} (more: anode ${verb.name} --help)`,
    })
  }
  return args
}

/** Returns a flag as users type it: with one dash for a name of one letter, else with two. */
export const writeFlag = (name: string) => (name.length === 1 ? `-${name}` : `--${name}`)

function unknownFlag(verb: Verb, options: Record<string, CommandOption>, name: string): string {
  const flag = writeFlag(name)
  const replacement = verb.foreignFlags?.[name]
  const near = () => suggestNames(name, Object.keys(options), 1).replace(/mean (.*)\?/, 'mean --$1?')
  const isVersion = name === 'V' || (name.length > 1 && findNearest(name, ['version']).length > 0)
  // A name of one letter is similar to every other letter, so it gets no suggestion.
  const hint = replacement
    ? `use ${replacement}`
    : (name.length > 1 && near()) || (isVersion && 'use anode --version')
  return `unknown flag ${flag}${hint ? `, ${hint}` : ''}`
}

/**
 * Joins a long flag and the word `-` after it, such as `--json -`, to `--json=-`. The dash means standard
 * input, and the parser would treat it as a separate word.
 */
function joinDash(words: readonly string[]): string[] {
  const out: string[] = []
  for (const word of words) {
    const before = out.at(-1)
    if (word === '-' && before !== undefined && /^--[\w-]+$/.test(before)) out[out.length - 1] = `${before}=-`
    else out.push(word)
  }
  return out
}

function isAlias(options: Record<string, CommandOption>, name: string): boolean {
  return Object.values(options).some((option) => option.alias === name)
}

function readValue(
  name: string,
  option: CommandOption,
  value: unknown,
  issues: string[],
): CommandArgs[string] {
  const flag = writeFlag(name)
  const all = [value].flat()
  const single = all.at(-1)
  if (option.type === 'boolean') return single === true || single === 'true'
  if (single === '' && option.bare) return ''
  if (!single) {
    // If --json takes a value, that value is an object of arguments; in other commands --json prints JSON.
    const instead = name === 'json' ? ', an object; --output json prints JSON' : ''
    issues.push(`${flag} needs a value${instead}`)
    return undefined
  }
  if (option.type === 'array') {
    const odd = option.choices && all.find((item) => !option.choices?.includes(String(item)))
    if (odd !== undefined) issues.push(`${flag} must be one of ${option.choices?.join(', ')}`)
    return all.map(String)
  }
  if (option.type === 'number') {
    const number = Number(single)
    if (!Number.isFinite(number)) issues.push(`${flag} must be a number, got ${single}`)
    return number
  }
  const text = String(single)
  if (option.choices && !option.choices.includes(text)) {
    const hint = suggestNames(text, option.choices, 1)
    issues.push(`${flag} must be one of ${option.choices.join(', ')}${hint ? ` (${hint})` : ''}`)
  }
  return text
}

function placeWords(
  verb: Verb,
  words: string[],
  args: Record<string, CommandArgs[string]>,
  issues: string[],
) {
  for (const positional of verb.positionals ?? []) {
    if (positional.many) args[positional.name] = words.splice(0)
    else args[positional.name] = words.shift()
    const value = args[positional.name]
    // An empty word often comes from an unset variable of a script, so it counts as missing.
    if (positional.required && [value].flat().every((word) => !word)) {
      issues.push(`${positional.name} is missing (${positional.describe})`)
    }
    if (positional.choices && typeof value === 'string' && !positional.choices.includes(value)) {
      issues.push(`${positional.name} must be one of ${positional.choices.join(', ')}, got ${value}`)
    }
  }
  if (words.length === 0) return
  const [first = ''] = words
  const isFlag = verb.options[first]?.type === 'boolean'
  const list = `unexpected ${words.length === 1 ? 'word' : 'words'}: ${words.join(' ')}`
  issues.push(`${list}${isFlag ? `, did you mean --${first}?` : ''}`)
}

/** Returns the formats that a command can print; an empty list if it has no flag for a format. */
export function outputFormats({ json, output, ...options }: OptionTable): string[] {
  const choices = output?.choices ?? []
  const byFlag = [
    ...(json?.type === 'boolean' ? ['text', 'json'] : []),
    ...(options['stream-json'] ? ['text', 'stream-json'] : []),
  ]
  return [...new Set([...choices, ...byFlag])]
}

/**
 * Returns the output flags that a command accepts in addition to its declared ones, and the declared
 * `--output` with all formats as choices. Returns an empty object if the command has no flag for a format.
 */
function impliedOutputOptions(options: OptionTable): Record<string, CommandOption> {
  const formats = outputFormats(options)
  if (formats.length === 0) return {}
  const format: CommandOption = { type: 'string', describe: `Print ${formats.join(', ')}`, value: 'FORMAT' }
  return {
    ...(!options.output && { output: format }),
    ...(options.output?.choices && { output: { ...options.output, choices: formats } }),
    ...(!options['output-format'] && { 'output-format': format }),
    ...(!options.json && formats.includes('json') && { json: { type: 'boolean', describe: 'Print JSON' } }),
  }
}

/**
 * Sets the declared flags according to the requested format. For contradictory or unknown formats, adds a
 * message to `issues`.
 */
function settleOutputFlags(
  options: OptionTable,
  args: Record<string, CommandArgs[string]>,
  issues: string[],
): void {
  const formats = outputFormats(options)
  if (formats.length === 0) return
  const formatFlags = [
    ...readFormat('output', options, args),
    ...readFormat('output-format', options, args),
    ...(args.json === true ? [['--json', 'json'] as const] : []),
    ...(args['stream-json'] === true ? [['--stream-json', 'stream-json'] as const] : []),
  ]
  const [first, ...others] = formatFlags
  if (!first) return
  const other = others.find(([, format]) => format !== first[1])
  if (other) issues.push(`${first[0]} and ${other[0]} exclude each other`)
  const odd = formatFlags.find(([, format]) => !formats.includes(format))
  // If the flag declares its choices, the parser may already have rejected the value.
  if (odd && issues.length === 0) issues.push(`${odd[0]} must be one of ${formats.join(', ')}`)
  if (other || odd) return
  const [, format] = first
  for (const name of ['output', 'output-format']) if (isFormat(name, options)) delete args[name]
  if (options.json?.type === 'boolean') args.json = format === 'json'
  else if (args.json === true) delete args.json
  if (options['stream-json']) args['stream-json'] = format === 'stream-json'
  if (options.output?.choices?.includes(format)) args.output = format
}

/**
 * Returns a list of one pair: the flag as typed and the format that it sets; an empty list if it sets none. A
 * flag whose value is usually a file is removed from `args` if its value is a format.
 */
function readFormat(
  name: string,
  options: OptionTable,
  args: Readonly<Record<string, CommandArgs[string]>>,
): (readonly [string, string])[] {
  const value = args[name]
  if (typeof value !== 'string') return []
  // For some commands the value of --output is a file, unless it is the name of a format.
  if (!isFormat(name, options) && !outputFormats(options).includes(value)) return []
  if (!isFormat(name, options)) delete (args as Record<string, unknown>)[name]
  return [[`--${name} ${value}`, value]]
}

/**
 * Returns true if the value of this flag is always a format, and false if it may be something else, such
 * as a file.
 */
export const isFormat = (name: string, options: OptionTable): boolean =>
  !options[name] || options[name].choices !== undefined
