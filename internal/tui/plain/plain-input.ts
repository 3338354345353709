// The meaning of a line on the plain screen, and the commands that only this screen has.
import { type NamedSkill, readInput, slashCommands } from '../input/slash-command.ts'

/** Commands for actions that have only keys on other screens. */
const lineCommands = [
  { name: 'stop', about: 'end the run; Ctrl-C does the same' },
  { name: 'unqueue', about: 'take the last message out of the queue' },
] as const satisfies readonly NamedSkill[]

type LineCommand = (typeof lineCommands)[number]['name']

type LineMeaning = ReturnType<typeof readInput> | { kind: 'own'; name: LineCommand }

export function readLine(line: string, skills: readonly NamedSkill[] = []): LineMeaning {
  // A number after `/agents` picks a subagent, for which other screens have a page.
  const agent = /^\/agents\s+(\d+)$/.exec(line.trim())?.[1]
  if (agent !== undefined) return { kind: 'command', name: 'agents', argument: agent }
  const meaning = readInput(line, [...lineCommands, ...skills])
  const lineCommand =
    meaning.kind === 'skill' ? lineCommands.find(({ name }) => name === meaning.name) : undefined
  return lineCommand ? { kind: 'own', name: lineCommand.name } : meaning
}

/**
 * Returns a line of help for each kind of input and each command, except `/theme` and `/screen`, which change
 * nothing on this screen.
 */
export const helpLines = (): string[] =>
  [
    ...slashCommands
      .filter(({ name }) => name !== 'theme' && name !== 'screen')
      .map(
        ({ name, argument, about }) =>
          `${`/${name} ${name === 'agents' ? '[N]' : argument}`.trimEnd()}  ${about}`,
      ),
    ...lineCommands.map(({ name, about }) => `/${name}  ${about}`),
    '/SKILL [INPUT]  the instructions of a skill go with your message; /skills lists them',
    '/SERVER:PROMPT [ARGS]  a prompt of an MCP server',
    '!LINE  run a shell command and show the model its output; !!LINE hides it',
    '@FILE[:10-40]  a file that goes with the message',
    '//TEXT  send a text that begins with a slash',
  ].map((line) => line.replace(', …', ' and so on').replace('…', '...'))

/** Help lines about the keys of this screen. */
export const keyLines: readonly string[] = [
  'this screen takes lines; the terminal itself edits them',
  'Enter  sends the line; during a run the model gets it before its next step',
  'Ctrl-C  ends the run, a command of the program or a choice; with nothing open the second one leaves',
  'Ctrl-D  leaves',
]
