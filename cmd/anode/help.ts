// The text of `--help`. For some texts, the build stores a version of the usual width; others are
// made on demand.
import { readPrebuilt } from '../../internal/base/dirs.ts'
import { helpWidth, narrowWidth, usualWidth } from './help-width.ts'
import { foldMessage } from './io/command-output.ts'
import { session } from './session/index.ts'
import { type CommandIo, isGroup, loadVerb, type Verb, type VerbGroup } from './verb.ts'
import { verbHelp } from './verb-help.ts'
import { verbs } from './verbs.ts'

/** The sections of the help of `anode` itself: each command once, with a short description. */
export const helpSections: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'Work',
    {
      execute: 'run an agent on one task (also anode -x)',
      runs: 'runs that outlive the terminal: start, list, cancel',
      attach: 'join such a run',
      study: 'split a question over several workers, get a cited report',
      build: 'run tasks in parallel and merge them into one checked branch',
      prove: 'run a check that changed tests cannot fool',
      review: 'review what has changed in the working tree',
      research: 'experiments that noise and agents cannot fool',
      tools: 'list, show and call the tools that models get',
      render: 'draw components and charts in the terminal',
    },
  ],
  [
    'Look back',
    {
      cron: 'tasks, studies and experiments on a schedule',
      threads: 'what runs said and did: list, search, show, export',
      harness: 'record a command, replay it, step through it',
      usage: 'requests, tokens and cost: by day, model, profile, thread, tool',
      undo: 'restore what tools have changed',
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
      hooks: 'your commands that run at certain moments',
      plugins: 'programs that add tools, events and vetoes',
      serve: 'a page with all runs, and the same for programs, over HTTP',
      acp: 'sessions for an editor, over the Agent Client Protocol',
      worker: 'work on studies of another machine, through Redis',
      manual: 'pages of the manual',
      completion: 'completion for bash, zsh and fish',
    },
  ],
]

/**
 * Returns the help of a group of commands: its verbs with summaries, at most four examples of different
 * verbs, and the whole help of the verb for command lines without a verb word, if the group has one.
 */
export async function groupHelp(
  path: readonly string[],
  group: VerbGroup,
  width = usualWidth,
): Promise<string> {
  // The verb for command lines without a verb word may also be in the list of the group.
  const all = [...new Set(await Promise.all(entriesOf(group).map(loadVerb)))]
  const rows = all.map((verb) => [verb.usage.replace(/ \[flags\]$/, ''), verb.summary] as const)
  const examples = all.flatMap((verb) => verb.examples.slice(0, 1)).slice(0, 4)
  const text = [
    `anode ${path.join(' ')} COMMAND\n`,
    `${group.summary}\n`,
    formatColumns(rows, width, Math.min(34, Math.max(...rows.map(([name]) => name.length)))),
    `Examples:\n${examples.map(([line]) => `  ${line}\n`).join('')}`,
    `anode ${path.join(' ')} COMMAND --help   anode manual commands/${path[0]}\n`,
  ].join('\n')
  // The verb for command lines without a verb word has no separate help, so its help is added here.
  const defaultHelp = group.otherwise ? `\n${await drawHelp(await loadVerb(group.otherwise), width)}` : ''
  return `${foldMessage(text, width)}${defaultHelp}`
}

const entriesOf = (group: VerbGroup) => [
  ...(group.otherwise ? [group.otherwise] : []),
  ...Object.values(group.verbs),
]

/** Returns the help of `anode` itself. The build stores the text for the usual width. */
export function rootHelp(width = usualWidth): string {
  const names = helpSections.flatMap(([, rows]) => Object.keys(rows))
  const nameWidth = Math.max(...names.map((name) => name.length))
  const drawn = helpSections.map(
    ([title, rows]) => `${title}\n${formatColumns(Object.entries(rows), width, nameWidth)}`,
  )
  const text = [
    'anode COMMAND [flags]: coding and research agents over a repository\n\n',
    'anode                opens a session; anode --continue resumes the last\n',
    'anode "MESSAGE"      the same, and says it; in a pipe: anode execute\n',
    'anode COMMAND --help   anode session --help   anode manual getting-started   anode --version\n\n',
    drawn.join('\n'),
  ].join('')
  return foldMessage(text, width)
}

/**
 * Formats rows in two columns. A long left side gets a separate line; on a narrow terminal every
 * left side does.
 */
function formatColumns(
  rows: readonly (readonly [string, string])[],
  width: number,
  nameWidth: number,
): string {
  if (width < narrowWidth) return rows.map(([name, what]) => `  ${name}\n    ${what}\n`).join('')
  const pad = ' '.repeat(nameWidth + 4)
  return rows
    .map(([name, what]) => {
      const lines = foldMessage(what, width - nameWidth - 4).replaceAll('\n', `\n${pad}`)
      return `${name.length > nameWidth ? `  ${name}\n${pad}` : `  ${name.padEnd(nameWidth)}  `}${lines}\n`
    })
    .join('')
}

export async function printHelp(verb: Verb, io: CommandIo): Promise<number> {
  io.stdout.write(await drawHelp(verb, helpWidth(io)))
  return 0
}

/** Returns the help of a verb. If the build stored it for this width, returns the stored text. */
async function drawHelp(verb: Verb, width: number): Promise<string> {
  const ready =
    width === usualWidth ? (readPrebuilt('help.json') as Record<string, string> | undefined) : undefined
  return ready?.[verb.name] ?? (await verbHelp(verb, width))
}

/** Returns the help of every command by name. The build stores these texts. */
export async function everyHelp(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const load of [...Object.values(verbs), async () => session]) {
    const command = await load()
    const entries = isGroup(command) ? entriesOf(command) : [command]
    for (const verb of await Promise.all(entries.map(loadVerb)))
      texts[verb.name] = await verbHelp(verb, usualWidth)
  }
  return texts
}

/** Prints the help of the group at `path`; if `path` is empty, the help of `anode` itself. */
export async function printGroup(path: readonly string[], io: CommandIo): Promise<number> {
  const width = helpWidth(io)
  const command = await verbs[path[0] as string]?.()
  if (path.length === 0) io.stdout.write(rootHelp(width))
  else if (command && isGroup(command)) io.stdout.write(await groupHelp(path, command, width))
  return 0
}
