// The help of one command, made from its definition: in two columns by the library yargs, or in one column on
// a narrow terminal.

import yargs from 'yargs'
import { narrowWidth } from './help-width.ts'
import { foldMessage } from './io/command-output.ts'
import { isFormat, outputFormats, writeFlag } from './parse-args.ts'
import { type CommandOption, commonOptions, type Verb } from './verb.ts'

/** Returns the help of one command as a text that is wrapped to `width` cells. */
export async function verbHelp(verb: Verb, width: number): Promise<string> {
  return width < narrowWidth ? narrowHelp(verb, width) : wideHelp(verb, width)
}

async function wideHelp(verb: Verb, width: number): Promise<string> {
  const y = yargs([])
    .scriptName('anode')
    .usage(`anode ${verb.usage}\n\n${verb.summary}`)
    .help(false)
    .version(false)
    // one cell is free for the space before the type, which yargs drops if a description fills its column
    .wrap(width - 1)
  for (const positional of verb.positionals ?? [])
    y.positional(positional.name, { describe: positional.describe, type: 'string' })
  for (const [name, option] of Object.entries({ ...verb.options, ...commonOptions }))
    y.option(name, yargsOption(option))
  const drawn = (await y.getHelp()).replace(/(\S)(\[(?:string|number|boolean|array)\])/g, '$1 $2')
  // The library yargs does not wrap a long usage line, and splits words of examples.
  return foldMessage(
    `${[drawn.trimEnd(), ...listFormatFlags(verb), formatExamples(verb)].join('\n\n')}\n`,
    width,
  )
}

function narrowHelp(verb: Verb, width: number): string {
  const options = Object.entries({ ...verb.options, ...commonOptions }).map(([name, option]) => {
    const names = [...(option.alias ? [option.alias] : []), name].map(writeFlag).join(', ')
    const choices = option.choices ? ` (${option.choices.join(', ')})` : ''
    const preset = option.default === undefined ? '' : ` (default ${option.default})`
    return `  ${names}${option.value ? ` ${option.value}` : ''}\n    ${option.describe}${choices}${preset}\n`
  })
  const positionals = (verb.positionals ?? []).map(({ name, describe }) => `  ${name}\n    ${describe}\n`)
  const parts = [
    `anode ${verb.usage}\n\n${verb.summary}\n`,
    ...(positionals.length > 0 ? [`Positionals:\n${positionals.join('')}`] : []),
    `Options:\n${options.join('')}`,
    ...listFormatFlags(verb).map((line) => `${line}\n`),
    formatExamples(verb),
  ]
  return foldMessage(`${parts.join('\n')}\n`, width)
}

/**
 * Returns the line with all flags for the output format; an empty list for a command that prints no data. Of
 * flags with the same meaning only one is declared, so the options do not list them all.
 */
function listFormatFlags({ options = {} }: Verb): string[] {
  const flags = formatSpellings(options)
  return flags.length === 0 ? [] : [`Output format, the same on every command: ${flags.join(', ')}`]
}

const formatExamples = (verb: Verb) =>
  `Examples:\n${verb.examples.map(([line, what]) => `  ${line}\n    ${what}\n`).join('')}`

function yargsOption(option: CommandOption) {
  return {
    type: option.type,
    describe: option.value ? `${option.describe} (${option.value})` : option.describe,
    ...(option.alias !== undefined && { alias: option.alias }),
    ...(option.choices !== undefined && { choices: option.choices }),
    ...(option.default !== undefined && { default: option.default }),
  }
}

/** Returns the flags that set the format of a command's output; empty for a command that prints no data. */
export function formatSpellings(options: Verb['options']): string[] {
  const formats = outputFormats(options)
  if (formats.length === 0) return []
  const flags = ['output', 'output-format'].filter((name) => isFormat(name, options))
  return [
    ...flags.map((name) => `--${name} ${formats.join('|')}`),
    ...(options.json?.type === 'string' || !formats.includes('json') ? [] : ['--json']),
    ...(options['stream-json'] ? ['--stream-json'] : []),
  ]
}
