// The flags for the format of results: --json, --output and --output-format. In some commands, --json
// contains arguments, and --output may name a file.
import type { CommandArgs, CommandOption } from './verb.ts'

type Options = Readonly<Record<string, CommandOption>>

/** Returns the formats that a command can print; an empty list if it has no flag for a format. */
export function outputFormats({ json, output, ...options }: Options): string[] {
  const own = output?.choices ?? []
  const byFlag = [
    ...(json?.type === 'boolean' ? ['text', 'json'] : []),
    ...(options['stream-json'] ? ['text', 'stream-json'] : []),
  ]
  return [...new Set([...own, ...byFlag])]
}

/** Returns the output flags that a command accepts in addition to its declared ones. */
export function impliedOutputOptions(options: Options): Record<string, CommandOption> {
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
export function settleOutputFlags(
  options: Options,
  args: Record<string, CommandArgs[string]>,
  issues: string[],
): void {
  const formats = outputFormats(options)
  if (formats.length === 0) return
  const given = [
    ...readFormat('output', options, args),
    ...readFormat('output-format', options, args),
    ...(args.json === true ? [['--json', 'json'] as const] : []),
    ...(args['stream-json'] === true ? [['--stream-json', 'stream-json'] as const] : []),
  ]
  const [first, ...others] = given
  if (!first) return
  const other = others.find(([, format]) => format !== first[1])
  if (other) issues.push(`${first[0]} and ${other[0]} exclude each other`)
  const odd = given.find(([, format]) => !formats.includes(format))
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
 * Returns a list of one pair: the flag as typed and the format that it sets; an empty list if it sets none.
 * If the flag usually names a file, its format is removed from `args`.
 */
function readFormat(
  name: string,
  options: Options,
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
export const isFormat = (name: string, options: Options): boolean =>
  !options[name] || options[name].choices !== undefined
