// The conversion of values that other agents write in another unit or form: seconds, offset with limit,
// flags of grep.
import { quoteWord } from '../../base/text/quoting/shell-word.ts'

/** Arguments during their conversion from the form of another agent. */
interface ArgumentConversion {
  args: Record<string, unknown>
  /** Notes for the model on how its arguments were read. */
  notes: string[]
}

type ArgumentConverter = (conversion: ArgumentConversion, names: readonly string[]) => void

/**
 * Removes all `keys` from the arguments and returns the first value that is not null; undefined without
 * such a value.
 */
function takeArgument({ args }: ArgumentConversion, ...keys: string[]): unknown {
  let value: unknown
  for (const key of keys) {
    if (!Object.hasOwn(args, key)) continue
    value ??= args[key]
    delete args[key]
  }
  return value ?? undefined
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function isOn(value: unknown): boolean {
  return value === true || value === 1 || /^(true|yes|1)$/i.test(String(value))
}

/**
 * Converts `offset`, the first line counted from 1 (0 counts as 1), and `limit`, the number of lines (0: no
 * limit), into `start_line` and `end_line`, unless these are set. Changes nothing for a tool that has
 * `offset` or `limit`, or has no `start_line`. Also changes nothing with `read_range`, or if a value is not a
 * number of at least 0.
 */
const convertLines: ArgumentConverter = (conversion, names) => {
  const { args, notes } = conversion
  if (!names.includes('start_line') || args.read_range) return
  if (names.includes('offset') || names.includes('limit')) return
  const offset = toNumber(args.offset)
  const limit = toNumber(args.limit)
  if (offset === undefined && args.offset != null) return
  if (limit === undefined && args.limit != null) return
  if ((offset !== undefined && offset < 0) || (limit !== undefined && limit < 0)) return
  takeArgument(conversion, 'offset')
  takeArgument(conversion, 'limit')
  if (offset === 0) notes.push('offset counts lines from 1; 0 is read as 1')
  if (offset !== undefined) args.start_line ??= Math.max(1, offset)
  const start = toNumber(args.start_line ?? 1)
  if (limit && start !== undefined) args.end_line ??= start + limit - 1
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, sec: 1000, m: 60_000, min: 60_000 }

/**
 * Returns the milliseconds of a time limit; undefined if `value` is not a time. A number without a unit such
 * as `s` counts in units of `unit` milliseconds. Without `unit`, it counts as seconds if it is below `bound`,
 * else as milliseconds.
 */
function toMs(value: unknown, unit: number | undefined, bound: number): number | undefined {
  const [, digits, suffix] = /^(\d+(?:\.\d+)?)\s*(ms|s|sec|m|min)?$/.exec(String(value).trim()) ?? []
  if (digits === undefined) return undefined
  const factor = suffix === undefined ? (unit ?? (Number(digits) < bound ? 1000 : 1)) : (units[suffix] ?? 1)
  return Number(digits) * factor
}

const secondKeys = ['timeout_seconds', 'timeoutSeconds', 'timeout_secs', 'timeout_sec', 'timeout_s']
const timeKeys = ['timeout', ...secondKeys]

/**
 * Converts a time limit under another name. A `timeout` without a unit counts as seconds if it is below
 * 1,000, or below 10,000 for a tool with `timeout_seconds`. Otherwise it counts as milliseconds.
 */
const convertTimeout: ArgumentConverter = ({ args, notes }, names) => {
  const parameter = ['timeout_ms', 'wait_timeout_ms', 'timeout_seconds'].find((name) => names.includes(name))
  if (parameter === undefined) return
  const inSeconds = parameter === 'timeout_seconds'
  const key = [...timeKeys, 'timeout_ms', 'timeoutMs'].find(
    (name) => name !== parameter && args[name] != null && !names.includes(name),
  )
  if (key === undefined || args[parameter] != null) return
  const unit = secondKeys.includes(key) ? 1000 : key === 'timeout' ? undefined : 1
  const ms = toMs(args[key], unit, inSeconds ? 10_000 : 1000)
  if (ms === undefined) return
  const value = args[key]
  delete args[key]
  args[parameter] = inSeconds ? Math.max(1, Math.round(ms / 1000)) : Math.max(1, Math.round(ms))
  const isPlain = !inSeconds && args[parameter] === value
  if (!isPlain)
    notes.push(`${key} ${value} is read as ${ms / 1000} seconds (${parameter} ${args[parameter]})`)
}

const outputModes: Readonly<Record<string, string | undefined>> = {
  content: undefined,
  files_with_matches: 'files',
  files: 'files',
  count: 'count',
}

const convertGrep: ArgumentConverter = (conversion, names) => {
  const { args } = conversion
  if (!names.includes('word_match')) return
  const ignoreCase = takeArgument(
    conversion,
    '-i',
    'i',
    'ignore_case',
    'ignoreCase',
    'case_insensitive',
    'caseInsensitive',
  )
  if (ignoreCase !== undefined) args.case_sensitive ??= !isOn(ignoreCase)
  const literal = takeArgument(
    conversion,
    'literal',
    'fixed_strings',
    'fixedStrings',
    'fixed_string',
    '-F',
    'is_literal',
  )
  if (literal !== undefined) args.regex ??= !isOn(literal)
  if (isOn(takeArgument(conversion, '-w') ?? false)) args.word_match ??= true
  for (const [flag, name] of [
    ['-C', 'context'],
    ['-A', 'after'],
    ['-B', 'before'],
    ['-m', 'max_matches'],
  ] as const) {
    const value = takeArgument(conversion, flag)
    if (value !== undefined) args[name] ??= value
  }
  const mode = takeArgument(conversion, 'output_mode', 'outputMode')
  if (typeof mode === 'string' && Object.hasOwn(outputModes, mode)) args.output ??= outputModes[mode]
  else if (mode !== undefined) args.output_mode = mode
  if (args.output === undefined) delete args.output
  if (typeof args.regex === 'string' && !/^(true|false)$/i.test(args.regex) && args.pattern === undefined) {
    args.pattern = args.regex
    args.regex = true
  }
}

const agentKinds: Readonly<Record<string, string | undefined>> = {
  'general-purpose': undefined,
  general: undefined,
  default: undefined,
  explore: 'find',
  explorer: 'find',
  'code-reviewer': 'review',
  reviewer: 'review',
}

/**
 * Converts the kind of a subagent, as other agents name it, into a profile. A general kind selects no
 * profile; an unknown kind is used as the name of a profile.
 */
const convertAgentKind: ArgumentConverter = (conversion, names) => {
  if (!names.includes('tools_allowed')) return
  const kind = takeArgument(conversion, 'subagent_type', 'agent_type')
  if (kind === undefined) return
  const name = String(kind).toLowerCase()
  const profile = Object.hasOwn(agentKinds, name) ? agentKinds[name] : kind
  if (profile !== undefined) conversion.args.profile ??= profile
}

const shell = /^(\/(usr\/)?bin\/)?(ba|da|z)?sh$/

/**
 * Returns a command line. A list of words becomes one simple command; a list of a shell, `-c` and a script
 * becomes the script. Other values stay unchanged.
 */
function commandLine(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string') || value.length === 0)
    return value
  const [program, option, script] = value as string[]
  if (value.length === 3 && shell.test(program as string) && /^-l?c$/.test(option as string)) return script
  return (value as string[]).map(quoteWord).join(' ')
}

const convertCommand: ArgumentConverter = ({ args }, names) => {
  for (const key of ['command', 'cmd']) {
    if (names.includes('command') && Array.isArray(args[key])) args[key] = commandLine(args[key])
    const words = args[key]
    // A patch may also come as the argument of the program `apply_patch`.
    if (names.includes('patch') && Array.isArray(words) && words.length === 2 && words[0] === 'apply_patch') {
      args.patch ??= words[1]
      delete args[key]
    }
  }
}

const converters = [convertLines, convertTimeout, convertGrep, convertAgentKind, convertCommand]

/** Converts the arguments of a call for a tool that has the parameters `names`. */
export function convertValues(
  args: Readonly<Record<string, unknown>>,
  names: readonly string[],
): ArgumentConversion {
  const conversion: ArgumentConversion = { args: { ...args }, notes: [] }
  for (const convert of converters) convert(conversion, names)
  return conversion
}
