// The reader of redirections and here-documents, which adds them to their command.

import {
  addDoubt,
  addWord,
  type CommandDraft,
  type ReaderState,
  readNestedWord,
  shortenWord,
} from './reader-state.ts'
import type { SyntaxNode } from './syntax-tree.ts'
import { wordKinds } from './word-reader.ts'

/**
 * Adds the files that a redirection reads or writes, or its text, to its command. Further words in it are
 * words of the command. A form that shells may read differently is recorded as a doubt.
 */
export function readRedirection(node: SyntaxNode, to: CommandDraft, state: ReaderState): void {
  if (node.type === 'file_redirect') {
    readFileRedirect(node, to, state)
    return
  }
  if (node.type === 'herestring_redirect') {
    const inner = node.namedChildren.find((child) => wordKinds.has(child.type))
    const word = inner && readNestedWord(inner, state)
    if (word) setStdin(to, word.text, word.known, 'a here-string')
    return
  }
  for (const child of node.namedChildren) {
    if (child.type === 'heredoc_body') readHeredoc(child, to, state)
    else if (wordKinds.has(child.type)) to.words.push(addWord(to, readNestedWord(child, state)))
    else if (/_redirect$/.test(child.type)) readRedirection(child, to, state)
    else {
      if (child.type === 'pipeline') state.pipes.unshift([to, child.namedChildren[0]?.id ?? -1])
      state.todo.push(child)
    }
  }
}

function readHeredoc(body: SyntaxNode, to: CommandDraft, state: ReaderState): void {
  const start = body.parent?.namedChildren.find((child) => child.type === 'heredoc_start')?.text ?? ''
  const expands = !/^['"\\]/.test(start) && /[$`\\]/.test(body.text)
  if (expands) {
    // The grammar misses some substitutions in here-documents but finds them between double quotes, so the
    // text is read again in quotes.
    state.scripts.push(`: "${body.text.replaceAll('"', '\\"')}"`)
    to.unseen ||= /[`$]/.test(body.text.replace(/\$(?:\w+|\{\w+\})/g, ''))
  }
  setStdin(to, body.text, !expands, 'a here-document')
}

function setStdin(to: CommandDraft, text: string, isKnown: boolean, what: string): void {
  to.stdin = text
  if (!isKnown) to.odd ??= `${what} is only known at run time`
}

function readFileRedirect(node: SyntaxNode, to: CommandDraft, state: ReaderState): void {
  const operator = node.children.find((child) => /^[<>&]/.test(child.type))?.type ?? ''
  const [target, ...words] = node.namedChildren.filter((child) => wordKinds.has(child.type))
  if (target) {
    const word = addWord(to, readNestedWord(target, state))
    // True for a copied or closed descriptor. Some shells take other forms, such as a quoted number or `1-`,
    // as the name of a file.
    const copies = /^[<>]&-?$/.test(operator) && /^(?:\d+|-)$/.test(target.text)
    // the shell expands the word after `>&` a second time, even in quotes, unless it is a number
    if (!copies && operator.startsWith('>&')) {
      to.unseen ||= !/^[\w./-]+$/.test(word.text)
      addDoubt(state, `the redirection ${shortenWord(node.text)}`)
    }
    if (!copies && operator.includes('>')) to.writes.push(word)
    else if (!copies && operator === '<') to.reads.push(word)
    else if (!copies) addDoubt(state, `the redirection ${shortenWord(node.text)}`)
  } else if (!/&-$/.test(operator)) addDoubt(state, `the redirection ${shortenWord(node.text)}`)
  for (const more of words) to.words.push(addWord(to, readNestedWord(more, state)))
}
