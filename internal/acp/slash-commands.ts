// Meaning of an editor prompt that begins with a slash: a command of the session or the program, a skill, a
// prompt of an MCP server, or text.
import type { AvailableCommand } from '@agentclientprotocol/sdk/unstable'
import { UserError } from '../base/errors.ts'
import { effortLevels, type SessionCommand } from '../session/commands.ts'
import type { NamedChoice } from './acp-backend.ts'

interface EditorCommand {
  about: string
  /** Placeholder that the editor shows for the argument. */
  argument?: string
  /** Returns the session command for an argument. Throws UserError for an invalid argument. */
  read(argument: string): SessionCommand
  /**
   * Returns the message that the user gets after the command. The reply to `goal` replaces it, and the list
   * of files of `undo` extends it.
   */
  done(argument: string): string
}

const effortNames = effortLevels.join(', ')

const commands: Readonly<Record<string, EditorCommand>> = {
  compact: {
    about: 'Shorten the conversation to a summary',
    argument: 'what the summary keeps above all',
    read: (focus) => ({ type: 'compact', focus: focus || undefined }),
    done: () => 'The conversation is now a summary.',
  },
  plan: {
    about: 'Plan first: nothing but the plan is written until you leave this mode',
    read: () => ({ type: 'set_mode', mode: 'plan' }),
    done: () => 'Plan first: nothing but the plan is written until you choose another approval.',
  },
  undo: {
    about: 'Undo the file changes of the last run, then of the run before',
    read: () => ({ type: 'undo' }),
    done: () => 'Undone.',
  },
  redo: {
    about: 'Redo the file changes of the last undo',
    read: () => ({ type: 'undo', redo: true }),
    done: () => 'Redone.',
  },
  rename: {
    about: 'Give this session a title',
    argument: 'the title',
    read: (title) => ({ type: 'rename', title: requireArgument(title, 'rename', 'a title') }),
    done: (title) => `The title is now: ${title}`,
  },
  effort: {
    about: `Set how hard the model thinks: ${effortNames}`,
    argument: 'the level',
    read(level) {
      const effort = effortLevels.find((one) => one === level)
      if (!effort) throw new UserError(`/effort needs one of ${effortNames}`)
      return { type: 'set_effort', effort }
    },
    done: (level) => `The effort is ${level} from the next run on.`,
  },
  'add-dir': {
    about: 'Let tools use another directory as well',
    argument: 'the directory',
    read: (path) => ({ type: 'add_dir', path: requireArgument(path, 'add-dir', 'a directory') }),
    done: (path) => `Tools may use ${path} from the next run on.`,
  },
  goal: {
    about: 'Work until a command passes; check, stop, or nothing to show it',
    argument: 'the command',
    read: (argument) => ({ type: 'goal', argument }),
    done: () => '',
  },
}

function requireArgument(argument: string, name: string, what: string): string {
  if (argument === '') throw new UserError(`/${name} needs ${what}`)
  return argument
}

interface EditorVerb {
  about: string
  argument: string
  /** Whether the command works without an argument. */
  isComplete?: true
}

/** Commands of the program outside of a session, whose output becomes the answer to the prompt. */
const verbs: Readonly<Record<string, EditorVerb>> = {
  study: { about: 'Answer a question with several workers and one report', argument: 'the question' },
  review: {
    about: 'Review what has changed in the working tree',
    argument: 'what to look at above all',
    isComplete: true,
  },
}

type SlashMeaning =
  | { kind: 'text' }
  /** A prompt of an MCP server; the session rejects it if the server does not exist. */
  | { kind: 'prompt' }
  | { kind: 'skill'; name: string; input: string }
  | { kind: 'command'; command: SessionCommand; done: string }
  /** Arguments for the program. */
  | { kind: 'verb'; words: readonly string[] }

/**
 * Parses a prompt. `model` is the model for commands that run outside of the session, such as /study. Unknown
 * slash words are text. Throws UserError for an argument that a command cannot use.
 */
export function readSlash(text: string, skills: readonly NamedChoice[], model: string): SlashMeaning {
  const [, name, rest = ''] = /^\/([\w.:-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  if (name === undefined) return { kind: 'text' }
  const argument = rest.trim()
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return { kind: 'command', command: command.read(argument), done: command.done(argument) }
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb) {
    const words = verb.isComplete && argument === '' ? [] : [requireArgument(argument, name, verb.argument)]
    return { kind: 'verb', words: [name, '--model', model, ...(words.length > 0 ? ['--', ...words] : [])] }
  }
  if (!skills.some((skill) => skill.name === name)) return { kind: 'text' }
  return name.includes(':') ? { kind: 'prompt' } : { kind: 'skill', name, input: argument }
}

/**
 * Returns the entries of the editor's slash menu: commands first, then skills and prompts. A skill or prompt
 * with the name of a command is left out.
 */
export function listEditorCommands(skills: readonly NamedChoice[]): AvailableCommand[] {
  const all: [string, { about: string; argument?: string }][] = [
    ...Object.entries(commands),
    ...Object.entries(verbs),
  ]
  const commandEntries = all.map(([name, { about, argument }]) => ({
    name,
    description: about,
    input: argument === undefined ? undefined : { hint: argument },
  }))
  const others = skills.filter(({ name }) => all.every(([commandName]) => commandName !== name))
  return [
    ...commandEntries,
    ...others.map(({ name, about }) => ({ name, description: about, input: { hint: 'what it is for' } })),
  ]
}
