// State of a reader that converts a syntax tree into simple commands, with functions that change it.
import type { ShellWord, SimpleCommand } from './simple-command.ts'
import type { SyntaxNode } from './syntax-tree.ts'
import { type ReadWord, readWord, type ShellPlaces } from './word-reader.ts'

export interface ReaderState {
  source: string
  places: ShellPlaces
  commands: SimpleCommand[]
  todo: SyntaxNode[]
  scripts: string[]
  doubt: string | undefined
  /**
   * Commands by the id of the tree node from which each was read, so that the two sides of a pipe
   * can be found.
   */
  made: Map<number, SimpleCommand>
  /**
   * Pipes of the script: the command on the left side, or the id of its node, and the id of the node on
   * the right side.
   */
  pipes: [SimpleCommand | number, number][]
  /**
   * Loops over one glob, each with its variable and its position in the source. Inside the loop, `word` is
   * the value of the variable.
   */
  loops: { name: string; from: number; to: number; word: ReadWord }[]
  /**
   * Redirections that the grammar attaches to a list of commands, by the id of the command to
   * which they belong.
   */
  late: Map<number, readonly SyntaxNode[]>
}

export function addDoubt(state: ReaderState, why: string | undefined): void {
  if (why !== undefined) state.doubt ??= why
}

/** Pushes nodes on the stack so that they are visited in order. */
export function pushNodes(state: ReaderState, nodes: readonly (SyntaxNode | undefined)[]): void {
  for (const node of nodes.toReversed()) if (node) state.todo.push(node)
}

/** Reads a word and queues its substitutions, which have to be read as well. */
export function readNestedWord(node: SyntaxNode, state: ReaderState): ReadWord {
  const word = loopWord(node, state) ?? readWord(node, state.source, state.places)
  addDoubt(state, word.doubt)
  pushNodes(state, word.inside)
  return word
}

/**
 * Returns the glob over which a loop iterates, for a word that is just the quoted loop variable; undefined
 * for other words. The glob then replaces the variable.
 */
function loopWord(node: SyntaxNode, { loops, source }: ReaderState): ReadWord | undefined {
  if (loops.length === 0 || node.type !== 'string') return undefined
  const name = /^"\$(?:(\w+)|\{(\w+)\})"$/.exec(source.slice(node.startIndex, node.endIndex))
  return loops.find(
    (one) => one.name === (name?.[1] ?? name?.[2]) && one.from <= node.startIndex && node.endIndex <= one.to,
  )?.word
}

/**
 * Records the glob of a loop as the value of its variable. Does nothing unless that glob is the only value
 * and the line names the variable elsewhere only to read it.
 */
export function noteLoop(node: SyntaxNode, variable: string, state: ReaderState): void {
  const [value, ...more] = node.childrenForFieldName('value')
  if (!value || more.length > 0 || !/^[A-Za-z_]\w*$/.test(variable)) return
  const word = readWord(value, state.source, state.places)
  if (!word.known || !word.glob || word.doubt !== undefined || !/^[\w./*?-]+$/.test(word.bare)) return
  const mentions = state.source.match(new RegExp(`\\b${variable}\\b`, 'g'))?.length ?? 0
  const uses = state.source.match(new RegExp(`\\$(?:${variable}\\b|\\{${variable}\\})`, 'g'))?.length ?? 0
  if (mentions !== uses + 1) return
  state.loops.push({ name: variable, from: node.startIndex, to: node.endIndex, word })
}

/** A command while it is read. */
export type CommandDraft = {
  -readonly [K in keyof SimpleCommand]: SimpleCommand[K] extends readonly (infer T)[] ? T[] : SimpleCommand[K]
}

export function draftCommand(command: SimpleCommand): CommandDraft {
  const { words, sets, writes, reads } = command
  return { ...command, words: [...words], sets: [...sets], writes: [...writes], reads: [...reads] }
}

/**
 * Returns a word of a command without the fields that only the reader needs. Marks the command if the word
 * may run commands that the line does not show.
 */
export function addWord(command: CommandDraft, word: ReadWord): ShellWord {
  command.unseen ||= word.unseen
  return { text: word.text, known: word.known, glob: word.glob }
}

/** Returns the first 40 characters of a text, with an ellipsis if more follow, for messages. */
export const shortenWord = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
