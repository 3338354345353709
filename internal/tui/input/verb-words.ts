// The command-line arguments with which a session command starts another command of Anode. The
// functions are pure.
import type { SessionView } from '../../session/view/session-view.ts'

export type VerbCommand =
  | 'context'
  | 'export'
  | 'study'
  | 'build'
  | 'research'
  | 'review'
  | 'permissions'
  | 'tools'
  | 'skills'
  | 'mcp'
  | 'lsp'
  | 'config'
  | 'doctor'

/** Subcommands that these commands run if they get no argument. */
const listed = {
  build: 'status',
  permissions: 'list',
  tools: 'list',
  skills: 'list',
  mcp: 'list',
  lsp: 'list',
  config: 'list',
}

/** Returns the arguments, or a message with the reason why the command cannot run. */
export function verbWords(
  name: VerbCommand,
  argument: string,
  { thread, model, pos }: Pick<SessionView, 'thread' | 'model' | 'pos'>,
): string[] | string {
  const words = splitWords(argument)
  const modelOptions = model.kind !== 'rules' ? ['--model', model.id] : []
  switch (name) {
    case 'context':
      return pos === 0 ? nothingYet : ['threads', 'show', thread, '--context']
    case 'export': {
      if (pos === 0) return nothingYet
      const file = argument === '' ? `${thread}.md` : argument
      return [
        'threads',
        'export',
        thread,
        '--out',
        file,
        ...(/\.jsonl$/.test(file) ? ['--format', 'jsonl'] : []),
      ]
    }
    case 'study':
      return argument === '' ? ['study', 'status', 'last'] : ['study', ...modelOptions, '--', argument]
    case 'review':
      if (model.kind === 'rules') return 'a review needs a language model; /model sets one up'
      return ['review', ...modelOptions, ...(argument === '' ? [] : ['--', argument])]
    case 'research':
      return ['research', ...(words.length === 0 ? ['status'] : words)]
    case 'doctor':
      return ['doctor']
    default:
      return [name, ...(words.length === 0 ? [listed[name]] : words)]
  }
}

const nothingYet = 'this thread has no messages yet'

/** Splits a text into words as a shell does. Of the shell's syntax, only quotes around a whole word count. */
export function splitWords(text: string): string[] {
  const parts = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  return parts.map((part) => (/^(["']).*\1$/s.test(part) ? part.slice(1, -1) : part))
}
