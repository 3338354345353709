// What `--help` prints: texts that the build made where the width is the usual one, else drawn anew.
import { prebuilt } from '../../internal/host/prebuilt.ts'
import { type Group, type Io, isGroup, type Verb } from './verb.ts'
import { verbs } from './verbs.ts'

/** Help of a group: its verbs with their summaries. */
export async function groupHelp(path: readonly string[], group: Group): Promise<string> {
  const rows = await Promise.all(
    [...(group.otherwise ? [group.otherwise] : []), ...Object.values(group.verbs)].map(async (load) => {
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

/** Cells of a line where no terminal says otherwise; the build draws for these. */
const usual = 80

export async function printHelp(verb: Verb, io: Io): Promise<number> {
  const width = Math.min(io.stdout.columns ?? usual, 100)
  const ready = width === usual ? (prebuilt('help.json') as Record<string, string> | undefined) : undefined
  const text = ready?.[verb.name] ?? (await (await import('./verb-help.ts')).verbHelp(verb, width))
  io.stdout.write(text)
  return 0
}

/** Help of every command by its name, as the build keeps it. */
export async function everyHelp(): Promise<Record<string, string>> {
  const { verbHelp } = await import('./verb-help.ts')
  const texts: Record<string, string> = {}
  for (const load of Object.values(verbs)) {
    const command = await load()
    const loads = isGroup(command) ? Object.values(command.verbs) : [async () => command]
    for (const verb of await Promise.all(loads.map((each) => each())))
      texts[verb.name] = await verbHelp(verb, usual)
  }
  return texts
}

export async function printGroup(path: readonly string[], io: Io): Promise<number> {
  const command = await verbs[path[0] as string]?.()
  if (command && isGroup(command)) io.stdout.write(await groupHelp(path, command))
  return 0
}
