// Help text, drawn by yargs from a command's table.
import yargs from 'yargs'
import { type Args, common, type Group, type Io, isGroup, type Option, type Verb } from './verb.ts'
import { verbs } from './verbs.ts'

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

/** Help of a group: its verbs with their summaries. */
export async function groupHelp(path: readonly string[], group: Group): Promise<string> {
  const rows = await Promise.all(
    Object.values(group.verbs).map(async (load) => {
      const verb = await load()
      return [verb.usage.replace(/ \[flags\]$/, ''), verb.summary] as const
    }),
  )
  return `anode ${path.join(' ')} COMMAND\n\n${group.summary}\n\n${columns(rows)}\nHelp of one: anode ${path.join(' ')} COMMAND --help\n`
}

/** The root help: every command and its verbs. Made once, at build time. */
export async function rootHelp(): Promise<string> {
  const rows: (readonly [string, string])[] = []
  for (const load of Object.values(verbs)) {
    const command = await load()
    const names = isGroup(command) ? ` ${Object.keys(command.verbs).join('|')}` : ''
    rows.push([`anode ${command.name}${names}`, command.summary])
  }
  return [
    'anode COMMAND [flags]\n',
    'Runs coding and research agents over a repository, in a way that can be trusted.\n',
    columns(rows),
    'Help of one: anode COMMAND --help   Version: anode --version\n',
  ].join('\n')
}

/** Two columns within 80 cells; a long left side gets a line of its own. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const left = Math.min(34, Math.max(...rows.map(([name]) => name.length)))
  return rows
    .map(([name, what]) => {
      const lines = fold(what, 80 - left - 4)
      const pad = ' '.repeat(left + 4)
      const first = name.length > left ? `  ${name}\n${pad}` : `  ${name.padEnd(left)}  `
      return `${first}${lines.join(`\n${pad}`)}\n`
    })
    .join('')
}

function fold(text: string, width: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1] as string
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

export async function printHelp(verb: Verb, io: Io): Promise<number> {
  io.stdout.write(await verbHelp(verb, Math.min(io.stdout.columns ?? 80, 100)))
  return 0
}

export async function printGroup(path: readonly string[], io: Io): Promise<number> {
  const command = await verbs[path[0] as string]?.()
  if (command && isGroup(command)) io.stdout.write(await groupHelp(path, command))
  return 0
}

export type { Args }
