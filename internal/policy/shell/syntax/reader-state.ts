// The state of one reading of a syntax tree, and the small steps that all of it is made of.
import type { ShellWord, SimpleCommand } from './simple-command.ts'
import type { SyntaxNode } from './syntax-tree.ts'
import { type ReadWord, readWord } from './word-reader.ts'

export interface ReaderState {
  source: string
  commands: SimpleCommand[]
  todo: SyntaxNode[]
  scripts: string[]
  doubt: string | undefined
  /** Commands by the node that they were read from, for pipelines. */
  made: Map<number, SimpleCommand>
  /** From a command, or the node that one is read from, to a node. */
  pipes: [SimpleCommand | number, number][]
  /** Redirections that the grammar hangs on a list, by the command that they belong to. */
  late: Map<number, readonly SyntaxNode[]>
}

export function addDoubt(state: ReaderState, why: string | undefined): void {
  if (why !== undefined) state.doubt ??= why
}

/** Puts nodes on the stack so that they are visited in their order. */
export function pushNodes(state: ReaderState, nodes: readonly (SyntaxNode | undefined)[]): void {
  for (const node of nodes.toReversed()) if (node) state.todo.push(node)
}

/** Reads a word and puts aside what has to be read inside of it. */
export function readNestedWord(node: SyntaxNode, state: ReaderState): ReadWord {
  const word = readWord(node, state.source)
  addDoubt(state, word.doubt)
  pushNodes(state, word.inside)
  return word
}

/** A command while it is read. */
export type CommandDraft = {
  -readonly [K in keyof SimpleCommand]: SimpleCommand[K] extends readonly (infer T)[] ? T[] : SimpleCommand[K]
}

export function draftCommand(command: SimpleCommand): CommandDraft {
  const { words, sets, writes, reads } = command
  return { ...command, words: [...words], sets: [...sets], writes: [...writes], reads: [...reads] }
}

/** Makes a word that was read one of a command, without what only the reader needs. */
export function addWord(command: CommandDraft, word: ReadWord): ShellWord {
  command.unseen ||= word.unseen
  return { text: word.text, known: word.known, glob: word.glob }
}

/** A text as people are told of it. */
export const shortenWord = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
