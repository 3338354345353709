// What `--help` prints: texts that the build made where the width is the usual one, else drawn anew.
import { prebuilt } from '../../internal/host/prebuilt.ts'
import { type Group, type Io, isGroup, type Verb } from './verb.ts'
import { verbs } from './verbs.ts'

/** The root help's sections: each command once, in at most eight words. */
export const sections: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'Work',
    {
      execute: 'run an agent on one task (also anode -x)',
      study: 'split a question over several workers, get a cited report',
      review: 'review what has changed in the working tree',
      research: 'experiments that noise and agents cannot fool',
      tools: 'list, show and call the tools that models get',
      render: 'draw components and charts in the terminal',
    },
  ],
  [
    'Look back',
    {
      threads: 'what runs said and did: list, search, show, export',
      permissions: 'rules in force, and why a call is allowed or asked',
    },
  ],
  [
    'Set up',
    {
      doctor: 'what works on this machine, and what to do about the rest',
      models: 'providers of models, their keys, and which one is used',
      login: "store a model provider's key",
      logout: 'forget it',
      config: 'show, change or check the configuration',
      trust: 'let this workspace bring configuration and programs',
      profiles: 'who may use which tools, with which prompt',
      skills: 'written procedures that a model can load',
      mcp: 'MCP servers',
      lsp: 'language servers',
      worker: 'work on studies of another machine, through Redis',
      manual: 'pages of the manual',
      completion: 'completion for bash, zsh and fish',
    },
  ],
]

/** Help of a group: its verbs with their summaries, and an example of each of the first. */
export async function groupHelp(path: readonly string[], group: Group): Promise<string> {
  const loads = [...(group.otherwise ? [group.otherwise] : []), ...Object.values(group.verbs)]
  const all = await Promise.all(loads.map((load) => load()))
  const rows = all.map((verb) => [verb.usage.replace(/ \[flags\]$/, ''), verb.summary] as const)
  const examples = all.flatMap((verb) => verb.examples.slice(0, 1)).slice(0, 4)
  return [
    `anode ${path.join(' ')} COMMAND\n`,
    `${group.summary}\n`,
    columns(rows),
    `Examples:\n${examples.map(([line]) => `  ${line}\n`).join('')}`,
    `Help of one: anode ${path.join(' ')} COMMAND --help   More: anode manual commands/${path[0]}\n`,
  ].join('\n')
}

/** The root help. Made once, at build time. */
export function rootHelp(): string {
  const width = Math.max(...sections.flatMap(([, rows]) => Object.keys(rows).map((name) => name.length)))
  const drawn = sections.map(([title, rows]) => {
    const lines = Object.entries(rows).map(([name, what]) => `  ${name.padEnd(width)}  ${what}\n`)
    return `${title}\n${lines.join('')}`
  })
  return [
    'anode COMMAND [flags]: coding and research agents over a repository\n\n',
    'anode execute "What does this repository do?"\n',
    'anode COMMAND --help   anode manual start   anode --version\n\n',
    drawn.join('\n'),
  ].join('')
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
