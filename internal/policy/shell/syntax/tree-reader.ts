// Reader that splits the syntax tree of a script into simple commands. A node of an unknown kind makes the
// script opaque, so that only a rule for the exact line may allow it.

import { homeDir } from '../../../base/dirs.ts'
import { reservedWords } from './plain-line.ts'
import {
  addDoubt,
  addWord,
  type CommandDraft,
  draftCommand,
  noteLoop,
  pushNodes,
  type ReaderState,
  readNestedWord,
  shortenWord,
} from './reader-state.ts'
import { readRedirection } from './redirections.ts'
import type { ScriptReading, ShellAssignment, ShellWord, SimpleCommand } from './simple-command.ts'
import { plainWord, simpleCommand } from './simple-command.ts'
import type { SyntaxNode, SyntaxTree } from './syntax-tree.ts'
import { findMisreading } from './token-check.ts'
import { findSubstitutions, type ShellPlaces, wordKinds } from './word-reader.ts'

/** Kinds of tree nodes that only contain statements, keywords and operators. */
const frames: ReadonlySet<string> = new Set([
  ...[
    'program',
    'list',
    'subshell',
    'if_statement',
    'elif_clause',
    'else_clause',
    'while_statement',
    'do_group',
  ],
  ...['negated_command', 'command_substitution', 'process_substitution', 'pipeline'],
])

const ignored: ReadonlySet<string> = new Set([
  ...['comment', 'variable_name', 'heredoc_start', 'heredoc_end', 'heredoc_content', 'file_descriptor'],
])

/**
 * Reads a whole script. Never throws because of its content: `addDoubt` records the first part that
 * is not understood.
 */
export function readTree(
  { root, hasError }: SyntaxTree,
  source: string,
  places: ShellPlaces = { home: homeDir() },
): ScriptReading {
  const state: ReaderState = {
    source,
    places,
    commands: [],
    scripts: [],
    todo: [root],
    doubt: undefined,
    made: new Map(),
    pipes: [],
    loops: [],
    late: new Map(),
  }
  if (/[^\P{C}\t\n]|[^\P{Z} ]/u.test(source)) addDoubt(state, 'invisible characters')
  if (hasError) addDoubt(state, 'a syntax that the grammar does not know')
  addDoubt(state, findMisreading(root, source))
  for (let node = state.todo.pop(); node; node = state.todo.pop()) visitNode(node, state)
  for (const [left, right] of state.pipes) setStdinFromPipe(state, left, right)
  return { commands: state.commands, scripts: state.scripts, doubt: state.doubt }
}

type NodeVisitor = (node: SyntaxNode, work: ReaderState) => void

const visitAssignment: NodeVisitor = (node, state) =>
  addCommand(state, withAssignments(node, simpleCommand([]), state), node)
const visitDeclaration: NodeVisitor = (node, state) => addCommand(state, readDeclaration(node, state), node)
const visitLoose: NodeVisitor = (node, state) => readRedirection(node, draftCommand(simpleCommand([])), state)

/**
 * Functions that read a tree node, by the kind of the node. A kind that is not in this table, in `frames`, in
 * `ignored` or among the kinds of words makes the script opaque.
 */
const visits: Readonly<Record<string, NodeVisitor>> = {
  command: (node, state) => addCommand(state, readCommand(node, state.late.get(node.id) ?? [], state), node),
  redirected_statement: visitRedirectedNode,
  variable_assignment: visitAssignment,
  variable_assignments: visitAssignment,
  declaration_command: visitDeclaration,
  unset_command: visitDeclaration,
  test_command: (node, state) => addCommand(state, readCondition(node, state), node),
  case_statement: visitFrame,
  case_item: visitFrame,
  for_statement: (node, state) => {
    if (node.children[0]?.type === 'select') addDoubt(state, 'select')
    const variable = node.childForFieldName('variable')?.text ?? ''
    noteLoop(node, variable, state)
    addCommand(
      state,
      { ...simpleCommand([]), sets: [{ name: variable, value: { text: '', known: false, glob: false } }] },
      node,
    )
    visitFrame(node, state)
  },
  extglob_pattern: (node, state) => {
    if (!/^[\w*?.-]+$/.test(node.text)) addDoubt(state, `the pattern ${shortenWord(node.text)}`)
  },
  compound_statement: (node, state) => {
    if (node.children[0]?.type === '{') {
      visitFrame(node, state)
      return
    }
    addCommand(state, { ...simpleCommand([]), odd: 'it evaluates arithmetic', unseen: true }, node)
    pushNodes(state, findSubstitutions(node))
  },
  function_definition: (node, state) => {
    const name = node.children[0]?.text ?? ''
    addCommand(state, { ...simpleCommand([]), odd: `it defines a function ${name}` }, node)
    if (node.childForFieldName('redirect')) addDoubt(state, 'a function with a redirection')
    pushNodes(state, node.childrenForFieldName('body'))
  },
  heredoc_redirect: visitLoose,
  heredoc_body: visitLoose,
  file_redirect: visitLoose,
  herestring_redirect: visitLoose,
}

function visitNode(node: SyntaxNode, state: ReaderState): void {
  const visitor = Object.hasOwn(visits, node.type) ? visits[node.type] : undefined
  if (visitor) visitor(node, state)
  else if (frames.has(node.type)) visitFrame(node, state)
  else if (wordKinds.has(node.type)) visitValue(node, state)
  else if (!ignored.has(node.type)) {
    addDoubt(state, `a ${node.type.replaceAll('_', ' ')}`)
    pushNodes(state, node.namedChildren)
  }
}

function visitFrame(node: SyntaxNode, state: ReaderState): void {
  const inside = node.namedChildren
  if (/_substitution$/.test(node.type)) addDoubt(state, findMisreading(node, state.source))
  if (node.type !== 'case_item' && node.children.some((child) => child.type === ';;')) addDoubt(state, ';;')
  if (node.type === 'pipeline') {
    for (const [i, child] of inside.entries())
      if (i > 0) state.pipes.push([inside[i - 1]?.id ?? -1, child.id])
  }
  pushNodes(state, inside)
}

function addCommand(state: ReaderState, command: SimpleCommand, node: SyntaxNode): void {
  state.commands.push(command)
  state.made.set(node.id, command)
}

/** Reads a word of `for` or `case` that is a value and not part of a command. */
function visitValue(node: SyntaxNode, state: ReaderState): void {
  const word = readNestedWord(node, state)
  if (!word.known)
    state.commands.push({
      ...simpleCommand([]),
      odd: 'a value is only known at run time',
      unseen: word.unseen,
    })
}

function readCommand(node: SyntaxNode, more: readonly SyntaxNode[], state: ReaderState): CommandDraft {
  const command = draftCommand(withAssignments(node, simpleCommand([]), state))
  let first = true
  for (const child of node.children) {
    const inner = child.type === 'command_name' ? child.children[0] : child
    if (!inner || inner.type === 'variable_assignment') continue
    if (wordKinds.has(inner.type)) {
      const word = readNestedWord(inner, state)
      // The grammar takes `time` for a program although it is a keyword, after which another
      // keyword may follow.
      if (first && reservedWords.has(word.bare) && word.bare !== 'time') addDoubt(state, word.bare)
      first &&= word.text === 'time' || word.text.startsWith('-')
      command.words.push(addWord(command, word))
    } else if (/redirect$/.test(inner.type)) readRedirection(inner, command, state)
    else if (/^(?:==|=~|\$)$/.test(inner.type)) command.words.push(plainWord(inner.text))
    else {
      addDoubt(state, `a ${inner.type.replaceAll('_', ' ')} among words`)
      pushNodes(state, inner.type === 'subshell' ? [inner] : findSubstitutions(inner))
    }
  }
  for (const child of more) readRedirection(child, command, state)
  return command
}

function withAssignments(node: SyntaxNode, command: SimpleCommand, state: ReaderState): SimpleCommand {
  const all = node.type === 'variable_assignment' ? [node] : node.namedChildren
  let { odd, unseen } = command
  const sets: ShellAssignment[] = []
  for (const child of all.filter(({ type }) => type === 'variable_assignment')) {
    const name = child.childForFieldName('name')
    const inner = child.childForFieldName('value')
    if (name?.type !== 'variable_name' || !/^\w+$/.test(name.text))
      addDoubt(state, `the assignment ${shortenWord(child.text)}`)
    const set = (value: ShellWord) => sets.push({ name: name?.text ?? '', value })
    if (!inner || inner.endIndex === inner.startIndex) {
      set(plainWord(''))
      continue
    }
    if (!wordKinds.has(inner.type)) {
      addDoubt(state, `the assignment ${shortenWord(child.text)}`)
      pushNodes(state, findSubstitutions(inner))
      set({ text: inner.text, known: false, glob: false })
      continue
    }
    const word = readNestedWord(inner, state)
    unseen ||= word.unseen
    set({ text: word.text, known: word.known, glob: false })
    if (!word.known) odd ??= `${name?.text} gets a value that is only known at run time`
  }
  return { ...command, sets: [...command.sets, ...sets], odd, unseen }
}

/** Reads `export`, `declare`, `unset` and similar commands, whose words the grammar splits differently. */
function readDeclaration(node: SyntaxNode, state: ReaderState): SimpleCommand {
  const command = draftCommand(withAssignments(node, simpleCommand([]), state))
  for (const child of node.children) {
    if (wordKinds.has(child.type)) command.words.push(addWord(command, readNestedWord(child, state)))
    else command.words.push(plainWord(child.text))
  }
  return command
}

/** Matches words inside `[ … ]` without a special meaning for the shell. */
const conditionWords = /^(?:[[\]!]|=|==|!=|-[a-zA-Z]{1,2})$/

/** Reads `[ … ]` as a command. `[[ … ]]` evaluates arithmetic and patterns, so it counts as unseen. */
function readCondition(node: SyntaxNode, state: ReaderState): SimpleCommand {
  const command = draftCommand(simpleCommand([]))
  if (node.children[0]?.type !== '[') {
    pushNodes(state, findSubstitutions(node))
    return { ...command, words: [plainWord('[[')], odd: 'it evaluates an expression', unseen: true }
  }
  const walk = (child: SyntaxNode): void => {
    if (wordKinds.has(child.type)) command.words.push(addWord(command, readNestedWord(child, state)))
    else if (child.childCount > 0 && /_expression$/.test(child.type))
      for (const one of child.children) walk(one)
    else if (child.childCount === 0 && conditionWords.test(child.text))
      command.words.push(plainWord(child.text))
    // `||` and `|` end the command for the shell, although the grammar reads on to the bracket
    else addDoubt(state, `${shortenWord(child.text)} in a condition`)
  }
  for (const child of node.children) walk(child)
  return command
}

function visitRedirectedNode(node: SyntaxNode, state: ReaderState): void {
  const [body, ...rest] = node.namedChildren
  if (!body) return
  if (body.type === 'command') {
    const command = readCommand(body, rest, state)
    addCommand(state, command, node)
    state.made.set(body.id, command)
    return
  }
  const redirects = /_redirect$/.test(body.type) ? [body, ...rest] : rest
  if (redirects.length === rest.length) state.todo.push(body)
  const last = lastCommand(body)
  if (last) {
    state.late.set(last.id, [...(state.late.get(last.id) ?? []), ...redirects])
    return
  }
  const command = draftCommand(simpleCommand([]))
  for (const child of redirects) readRedirection(child, command, state)
  // The grammar attaches words after a redirection to it. Here the command before the redirection is not a
  // simple one, so they are a doubt.
  if (command.words.length > 0) addDoubt(state, 'words behind a redirection')
  addCommand(state, command, node)
}

/**
 * Returns the simple command that owns the redirections after a list, a pipeline or a negation; undefined if
 * the last command is not a simple one.
 */
function lastCommand(body: SyntaxNode): SyntaxNode | undefined {
  let node: SyntaxNode | undefined = body
  while (node && /^(?:list|pipeline|negated_command)$/.test(node.type)) node = node.lastNamedChild
  return node?.type === 'command' ? node : undefined
}

/**
 * Records the words of `echo` or `printf`, or the here-document of `cat`, before a pipe as standard input of
 * the command after it. Does nothing if that command already has an input text.
 */
function setStdinFromPipe(state: ReaderState, left: SimpleCommand | number, right: number): void {
  const from = typeof left === 'number' ? state.made.get(left) : left
  const to = state.made.get(right)
  if (!from || !to || to.stdin !== undefined) return
  const [program, ...words] = from.words.map((word) => word.text)
  const text = /^(?:echo|printf)$/.test(program ?? '')
    ? words.join(' ')
    : program === 'cat'
      ? from.stdin
      : undefined
  if (text !== undefined) (to as CommandDraft).stdin = text
}
