// Help of one command, drawn by yargs from the command's table.
import yargs from 'yargs'
import { common, type Option, type Verb } from './verb.ts'

/** Help of one command as yargs lays it out, `width` columns wide. */
export async function verbHelp(verb: Verb, width: number): Promise<string> {
  const y = yargs([])
    .scriptName('anode')
    .usage(`anode ${verb.usage}\n\n${verb.summary}`)
    .help(false)
    .version(false)
    .wrap(width)
  for (const positional of verb.positionals ?? [])
    y.positional(positional.name, { describe: positional.describe, type: 'string' })
  for (const [name, option] of Object.entries({ ...verb.options, ...common }))
    y.option(name, yargsOption(option))
  for (const [line, what] of verb.examples) y.example(line, what)
  return `${await y.getHelp()}\n`
}

function yargsOption(option: Option) {
  return {
    type: option.type,
    describe: option.value ? `${option.describe} (${option.value})` : option.describe,
    ...(option.alias !== undefined && { alias: option.alias }),
    ...(option.choices !== undefined && { choices: option.choices }),
    ...(option.default !== undefined && { default: option.default }),
  }
}
