// The state of one reading of a syntax tree, and the small steps that all of it is made of.
import type { Command, Word } from './command.ts'
import type { SyntaxNode } from './syntax.ts'
import { type ReadWord, readWord } from './word.ts'

export interface Work {
  source: string
  commands: Command[]
  todo: SyntaxNode[]
  scripts: string[]
  doubt: string | undefined
  /** Commands by the node that they were read from, for pipelines. */
  made: Map<number, Command>
  /** From a command, or the node that one is read from, to a node. */
  pipes: [Command | number, number][]
  /** Redirections that the grammar hangs on a list, by the command that they belong to. */
  late: Map<number, readonly SyntaxNode[]>
}

export function doubt(work: Work, why: string | undefined): void {
  if (why !== undefined) work.doubt ??= why
}

/** Puts nodes on the stack so that they are visited in their order. */
export function push(work: Work, nodes: readonly (SyntaxNode | undefined)[]): void {
  for (const node of nodes.toReversed()) if (node) work.todo.push(node)
}

/** Reads a word and puts aside what has to be read inside of it. */
export function take(node: SyntaxNode, work: Work): ReadWord {
  const word = readWord(node, work.source)
  doubt(work, word.doubt)
  push(work, word.inside)
  return word
}

/** A command while it is read. */
export type Growing = {
  -readonly [K in keyof Command]: Command[K] extends readonly (infer T)[] ? T[] : Command[K]
}

export function grow(command: Command): Growing {
  const { words, sets, writes, reads } = command
  return { ...command, words: [...words], sets: [...sets], writes: [...writes], reads: [...reads] }
}

/** Makes a word that was read one of a command, without what only the reader needs. */
export function add(command: Growing, word: ReadWord): Word {
  command.unseen ||= word.unseen
  return { text: word.text, known: word.known, glob: word.glob }
}

/** A text as people are told of it. */
export const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
