// What a typed line means on the plain screen: words for the model, a command of the session, or neither.
import { findNearest } from '../../base/text/name-suggestion.ts'
import { modes } from '../../policy/level.ts'
import type { FileMention, SessionCommand } from '../../session/commands.ts'

type LineAction =
  | { kind: 'send'; command: SessionCommand }
  | { kind: 'words'; text: string }
  | { kind: 'show'; what: 'help' | 'queue' | 'threads' | 'choices' }
  | { kind: 'quit' }
  | { kind: 'tell'; text: string }

/** Name, arguments and use of each command, in the order of the help. */
export const plainCommands: readonly (readonly [string, string])[] = [
  ['/help', 'these lines'],
  ['/queue TEXT', 'a run of its own after this one; without TEXT: what waits'],
  ['/unqueue', 'take back what was queued last'],
  ['/stop', 'end the run; Ctrl-C does the same'],
  ['/model [NAME]', 'answer with another model; without NAME: which there are'],
  ['/profile NAME', 'go on with another profile'],
  [`/mode ${modes.join('|')}`, 'how much runs without a question'],
  ['/compact [FOCUS]', 'shorten the conversation; FOCUS is kept above all'],
  ['/rename TITLE', 'name this thread'],
  ['/resume', 'threads of this workspace, and how to go on with one'],
  ['/quit', 'leave; Ctrl-D does the same'],
  ['!LINE', 'run a line in the shell and tell the model; !!LINE does not tell it'],
  ['@FILE[:10-40]', 'a file that goes with the message'],
  ['//TEXT', 'say something that begins with a slash'],
]

export function readLine(line: string): LineAction {
  const text = line.trim()
  if (text.startsWith('!!')) return shell(text.slice(2), false)
  if (text.startsWith('!')) return shell(text.slice(1), true)
  if (text.startsWith('//')) return { kind: 'words', text: text.slice(1) }
  if (!text.startsWith('/')) return { kind: 'words', text }
  const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? []
  return readCommand(name, rest.trim())
}

const shell = (line: string, tell: boolean): LineAction => ({
  kind: 'send',
  command: { type: 'run_shell', line: line.trim(), tell },
})

function readCommand(name: string, rest: string): LineAction {
  const send = (command: SessionCommand): LineAction => ({ kind: 'send', command })
  const need = (what: string): LineAction => ({ kind: 'tell', text: `/${name} needs ${what}` })
  switch (name) {
    case 'help':
      return { kind: 'show', what: 'help' }
    case 'quit':
    case 'exit':
      return { kind: 'quit' }
    case 'queue':
      return rest === '' ? { kind: 'show', what: 'queue' } : send({ type: 'queue', content: rest })
    case 'unqueue':
      return send({ type: 'unqueue', message: '' })
    case 'stop':
      return send({ type: 'interrupt' })
    case 'model':
      return rest === '' ? { kind: 'show', what: 'choices' } : send({ type: 'set_model', model: rest })
    case 'profile':
      return rest === '' ? need('the name of a profile') : send({ type: 'set_profile', name: rest })
    case 'mode': {
      const mode = modes.find((one) => one === rest)
      return mode === undefined ? need(`one of ${modes.join(', ')}`) : send({ type: 'set_mode', mode })
    }
    case 'compact':
      return send({ type: 'compact', ...(rest !== '' && { focus: rest }) })
    case 'rename':
      return rest === '' ? need('a title') : send({ type: 'rename', title: rest })
    case 'resume':
      return { kind: 'show', what: 'threads' }
    default: {
      const known = plainCommands.flatMap(([usage]) => /^\/([a-z]+)/.exec(usage)?.[1] ?? [])
      const near = findNearest(name, known).map((one) => `/${one}`)
      const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : '/help lists the commands'
      return { kind: 'tell', text: `there is no command /${name}; ${hint}` }
    }
  }
}

/** Files that a text names with `@`, as they are written; whether they exist is another question. */
export function readFileMentions(text: string): FileMention[] {
  return [...text.matchAll(/(?<!\S)@([^\s:]+)(?::(\d+)(?:-(\d+))?)?/g)].map(([, path = '', from, to]) => ({
    path,
    ...(from !== undefined && { startLine: Number(from), endLine: Number(to ?? from) }),
  }))
}
