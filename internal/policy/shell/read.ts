// Takes the syntax tree of a script apart into its simple commands; what is not on the list of node kinds is doubt.
import type { Assignment, Command, Reading, Word } from './command.ts'
import { plainWord, simple } from './command.ts'
import { reserved } from './plain.ts'
import { misread } from './proof.ts'
import { redirect } from './redirect.ts'
import type { SyntaxNode, SyntaxTree } from './syntax.ts'
import { substitutions, wordKinds } from './word.ts'
import { add, doubt, type Growing, grow, push, shorten, take, type Work } from './work.ts'

/** Kinds whose children are statements, keywords and operators, and nothing that needs a look of its own. */
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

/** Reads a whole script. Never throws for its content; whatever it cannot vouch for is in `doubt`. */
export function readTree({ root, hasError }: SyntaxTree, source: string): Reading {
  const work: Work = {
    source,
    commands: [],
    scripts: [],
    todo: [root],
    doubt: undefined,
    made: new Map(),
    pipes: [],
    late: new Map(),
  }
  if (/[^\P{C}\t\n]|[^\P{Z} ]/u.test(source)) doubt(work, 'invisible characters')
  if (hasError) doubt(work, 'a syntax that the grammar does not know')
  doubt(work, misread(root, source))
  for (let node = work.todo.pop(); node; node = work.todo.pop()) visit(node, work)
  for (const [left, right] of work.pipes) feed(work, left, right)
  return { commands: work.commands, scripts: work.scripts, doubt: work.doubt }
}

type Visit = (node: SyntaxNode, work: Work) => void

const assignment: Visit = (node, work) => keep(work, withAssignments(node, simple([]), work), node)
const declared: Visit = (node, work) => keep(work, declaration(node, work), node)
const loose: Visit = (node, work) => redirect(node, grow(simple([])), work)

/** The list of node kinds; a kind that is not here, nor among frames and words, is doubt. */
const visits: Readonly<Record<string, Visit>> = {
  command: (node, work) => keep(work, readCommand(node, work.late.get(node.id) ?? [], work), node),
  redirected_statement: redirected,
  variable_assignment: assignment,
  variable_assignments: assignment,
  declaration_command: declared,
  unset_command: declared,
  test_command: (node, work) => keep(work, condition(node, work), node),
  case_statement: frame,
  case_item: frame,
  for_statement: (node, work) => {
    if (node.children[0]?.type === 'select') doubt(work, 'select')
    const variable = node.childForFieldName('variable')?.text ?? ''
    keep(
      work,
      { ...simple([]), sets: [{ name: variable, value: { text: '', known: false, glob: false } }] },
      node,
    )
    frame(node, work)
  },
  extglob_pattern: (node, work) => {
    if (!/^[\w*?.-]+$/.test(node.text)) doubt(work, `the pattern ${shorten(node.text)}`)
  },
  compound_statement: (node, work) => {
    if (node.children[0]?.type === '{') {
      frame(node, work)
      return
    }
    keep(work, { ...simple([]), odd: 'it evaluates arithmetic', unseen: true }, node)
    push(work, substitutions(node))
  },
  function_definition: (node, work) => {
    keep(work, { ...simple([]), odd: `it defines a function ${node.children[0]?.text ?? ''}` }, node)
    if (node.childForFieldName('redirect')) doubt(work, 'a function with a redirection')
    push(work, node.childrenForFieldName('body'))
  },
  heredoc_redirect: loose,
  heredoc_body: loose,
  file_redirect: loose,
  herestring_redirect: loose,
}

function visit(node: SyntaxNode, work: Work): void {
  const own = Object.hasOwn(visits, node.type) ? visits[node.type] : undefined
  if (own) own(node, work)
  else if (frames.has(node.type)) frame(node, work)
  else if (wordKinds.has(node.type)) value(node, work)
  else if (!ignored.has(node.type)) {
    doubt(work, `a ${node.type.replaceAll('_', ' ')}`)
    push(work, node.namedChildren)
  }
}

function frame(node: SyntaxNode, work: Work): void {
  const inside = node.namedChildren
  if (/_substitution$/.test(node.type)) doubt(work, misread(node, work.source))
  if (node.type !== 'case_item' && node.children.some((child) => child.type === ';;')) doubt(work, ';;')
  if (node.type === 'pipeline') {
    for (const [i, child] of inside.entries()) if (i > 0) work.pipes.push([inside[i - 1]?.id ?? -1, child.id])
  }
  push(work, inside)
}

function keep(work: Work, command: Command, node: SyntaxNode): void {
  work.commands.push(command)
  work.made.set(node.id, command)
}

/** A word that is a value and not part of a command: of `for`, of `case`. */
function value(node: SyntaxNode, work: Work): void {
  const word = take(node, work)
  if (!word.known)
    work.commands.push({ ...simple([]), odd: 'a value is only known at run time', unseen: word.unseen })
}

function readCommand(node: SyntaxNode, more: readonly SyntaxNode[], work: Work): Growing {
  const command = grow(withAssignments(node, simple([]), work))
  let first = true
  for (const child of node.children) {
    const inner = child.type === 'command_name' ? child.children[0] : child
    if (!inner || inner.type === 'variable_assignment') continue
    if (wordKinds.has(inner.type)) {
      const word = take(inner, work)
      // `time` stands before a whole pipeline, with its own keywords; the grammar takes it for a program
      if (first && reserved.has(word.bare) && word.bare !== 'time') doubt(work, word.bare)
      first &&= word.text === 'time' || word.text.startsWith('-')
      command.words.push(add(command, word))
    } else if (/redirect$/.test(inner.type)) redirect(inner, command, work)
    else if (/^(?:==|=~|\$)$/.test(inner.type)) command.words.push(plainWord(inner.text))
    else {
      doubt(work, `a ${inner.type.replaceAll('_', ' ')} among words`)
      push(work, inner.type === 'subshell' ? [inner] : substitutions(inner))
    }
  }
  for (const child of more) redirect(child, command, work)
  return command
}

function withAssignments(node: SyntaxNode, command: Command, work: Work): Command {
  const all = node.type === 'variable_assignment' ? [node] : node.namedChildren
  let { odd, unseen } = command
  const sets: Assignment[] = []
  for (const child of all.filter(({ type }) => type === 'variable_assignment')) {
    const name = child.childForFieldName('name')
    const inner = child.childForFieldName('value')
    if (name?.type !== 'variable_name' || !/^\w+$/.test(name.text))
      doubt(work, `the assignment ${shorten(child.text)}`)
    const set = (value: Word) => sets.push({ name: name?.text ?? '', value })
    if (!inner || inner.endIndex === inner.startIndex) {
      set(plainWord(''))
      continue
    }
    if (!wordKinds.has(inner.type)) {
      doubt(work, `the assignment ${shorten(child.text)}`)
      push(work, substitutions(inner))
      set({ text: inner.text, known: false, glob: false })
      continue
    }
    const word = take(inner, work)
    unseen ||= word.unseen
    set({ text: word.text, known: word.known, glob: false })
    if (!word.known) odd ??= `${name?.text} gets a value that is only known at run time`
  }
  return { ...command, sets: [...command.sets, ...sets], odd, unseen }
}

/** `export`, `declare`, `unset` and the like: commands whose words the grammar splits differently. */
function declaration(node: SyntaxNode, work: Work): Command {
  const command = grow(withAssignments(node, simple([]), work))
  for (const child of node.children) {
    if (wordKinds.has(child.type)) command.words.push(add(command, take(child, work)))
    else command.words.push(plainWord(child.text))
  }
  return command
}

/** What stands between the words of `[ … ]`, and means nothing to the shell. */
const conditionWords = /^(?:[[\]!]|=|==|!=|-[a-zA-Z]{1,2})$/

/** `[ … ]` as the command it is; `[[ … ]]` evaluates arithmetic and patterns. */
function condition(node: SyntaxNode, work: Work): Command {
  const command = grow(simple([]))
  if (node.children[0]?.type !== '[') {
    push(work, substitutions(node))
    return { ...command, words: [plainWord('[[')], odd: 'it evaluates an expression', unseen: true }
  }
  const walk = (child: SyntaxNode): void => {
    if (wordKinds.has(child.type)) command.words.push(add(command, take(child, work)))
    else if (child.childCount > 0 && /_expression$/.test(child.type))
      for (const one of child.children) walk(one)
    else if (child.childCount === 0 && conditionWords.test(child.text))
      command.words.push(plainWord(child.text))
    // `||` and `|` end the command for the shell, although the grammar reads on to the bracket
    else doubt(work, `${shorten(child.text)} in a condition`)
  }
  for (const child of node.children) walk(child)
  return command
}

function redirected(node: SyntaxNode, work: Work): void {
  const [body, ...rest] = node.namedChildren
  if (!body) return
  if (body.type === 'command') {
    const command = readCommand(body, rest, work)
    keep(work, command, node)
    work.made.set(body.id, command)
    return
  }
  const redirects = /_redirect$/.test(body.type) ? [body, ...rest] : rest
  if (redirects.length === rest.length) work.todo.push(body)
  const last = lastCommand(body)
  if (last) {
    work.late.set(last.id, [...(work.late.get(last.id) ?? []), ...redirects])
    return
  }
  const command = grow(simple([]))
  for (const child of redirects) redirect(child, command, work)
  // words behind a redirection belong to the command before it, and that is not a simple one
  if (command.words.length > 0) doubt(work, 'words behind a redirection')
  keep(work, command, node)
}

/** The simple command that the redirections behind a list, a pipeline or a negation belong to. */
function lastCommand(body: SyntaxNode): SyntaxNode | undefined {
  let node: SyntaxNode | undefined = body
  while (node && /^(?:list|pipeline|negated_command)$/.test(node.type)) node = node.lastNamedChild
  return node?.type === 'command' ? node : undefined
}

/** `echo words | sh`, `cat <<EOF | sh`: what the left side prints is what the right side reads. */
function feed(work: Work, left: Command | number, right: number): void {
  const from = typeof left === 'number' ? work.made.get(left) : left
  const to = work.made.get(right)
  if (!from || !to || to.stdin !== undefined) return
  const [program, ...words] = from.words.map((word) => word.text)
  const text = /^(?:echo|printf)$/.test(program ?? '')
    ? words.join(' ')
    : program === 'cat'
      ? from.stdin
      : undefined
  if (text !== undefined) (to as Growing).stdin = text
}
