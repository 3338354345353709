// The state of one reading of a syntax tree, and the small steps that all of it is made of.
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
  /** Commands by the node that they were read from, for pipelines. */
  made: Map<number, SimpleCommand>
  /** From a command, or the node that one is read from, to a node. */
  pipes: [SimpleCommand | number, number][]
  /** What the variable of a loop stands for inside of it: a word that the loop goes over. */
  loops: { name: string; from: number; to: number; word: ReadWord }[]
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
  const word = loopWord(node, state) ?? readWord(node, state.source, state.places)
  addDoubt(state, word.doubt)
  pushNodes(state, word.inside)
  return word
}

/** For a loop's variable in quotes, alone: the glob that the loop goes over, as if it stood there itself. */
function loopWord(node: SyntaxNode, { loops, source }: ReaderState): ReadWord | undefined {
  if (loops.length === 0 || node.type !== 'string') return undefined
  const name = /^"\$(?:(\w+)|\{(\w+)\})"$/.exec(source.slice(node.startIndex, node.endIndex))
  return loops.find(
    (one) => one.name === (name?.[1] ?? name?.[2]) && one.from <= node.startIndex && node.endIndex <= one.to,
  )?.word
}

/** Notes what a loop over one glob does to its variable, unless something else on the line may set it. */
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

/** Makes a word that was read one of a command, without what only the reader needs. */
export function addWord(command: CommandDraft, word: ReadWord): ShellWord {
  command.unseen ||= word.unseen
  return { text: word.text, known: word.known, glob: word.glob }
}

/** A text as people are told of it. */
export const shortenWord = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
