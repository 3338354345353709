// Reads redirections and here-documents into the command that they belong to.

import type { SyntaxNode } from './syntax.ts'
import { wordKinds } from './word.ts'
import { add, doubt, type Growing, shorten, take, type Work } from './work.ts'

/** Adds what a redirection reads, writes or feeds; further words in it are words of the command. */
export function redirect(node: SyntaxNode, to: Growing, work: Work): void {
  if (node.type === 'file_redirect') {
    file(node, to, work)
    return
  }
  if (node.type === 'herestring_redirect') {
    const inner = node.namedChildren.find((child) => wordKinds.has(child.type))
    const word = inner && take(inner, work)
    if (word) literal(to, word.text, word.known, 'a here-string')
    return
  }
  for (const child of node.namedChildren) {
    if (child.type === 'heredoc_body') document(child, to, work)
    else if (wordKinds.has(child.type)) to.words.push(add(to, take(child, work)))
    else if (/_redirect$/.test(child.type)) redirect(child, to, work)
    else {
      if (child.type === 'pipeline') work.pipes.unshift([to, child.namedChildren[0]?.id ?? -1])
      work.todo.push(child)
    }
  }
}

function document(body: SyntaxNode, to: Growing, work: Work): void {
  const start = body.parent?.namedChildren.find((child) => child.type === 'heredoc_start')?.text ?? ''
  const expands = !/^['"\\]/.test(start) && /[$`\\]/.test(body.text)
  if (expands) {
    // the grammar overlooks some substitutions in here-documents; between double quotes it sees them
    work.scripts.push(`: "${body.text.replaceAll('"', '\\"')}"`)
    to.unseen ||= /[`$]/.test(body.text.replace(/\$(?:\w+|\{\w+\})/g, ''))
  }
  literal(to, body.text, !expands, 'a here-document')
}

function literal(to: Growing, text: string, known: boolean, what: string): void {
  to.stdin = text
  if (!known) to.odd ??= `${what} is only known at run time`
}

function file(node: SyntaxNode, to: Growing, work: Work): void {
  const operator = node.children.find((child) => /^[<>&]/.test(child.type))?.type ?? ''
  const [target, ...words] = node.namedChildren.filter((child) => wordKinds.has(child.type))
  if (target) {
    const word = add(to, take(target, work))
    const copies = /^[<>]&-?$/.test(operator) && /^(?:\d+-?|-)$/.test(word.text)
    // the word behind `>&` is expanded a second time, quotes or not, unless it is a number
    if (!copies && operator.startsWith('>&')) {
      to.unseen ||= !/^[\w./-]+$/.test(word.text)
      doubt(work, `the redirection ${shorten(node.text)}`)
    }
    if (!copies && operator.includes('>')) to.writes.push(word)
    else if (!copies && operator === '<') to.reads.push(word)
    else if (!copies) doubt(work, `the redirection ${shorten(node.text)}`)
  } else if (!/&-$/.test(operator)) doubt(work, `the redirection ${shorten(node.text)}`)
  for (const more of words) to.words.push(add(to, take(more, work)))
}
