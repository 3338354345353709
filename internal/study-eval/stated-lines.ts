// Facts that a suite states by line numbers of its corpus, because the suite must not contain texts
// of other authors.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, UserError } from '../base/errors.ts'
import type { EvalCase, KnownAnswers } from './suite.ts'

type StatedPassage = KnownAnswers['facts'][number]['stated'][number]

/**
 * Returns the question with the texts of its facts, read from the corpus below `root`. Throws UserError if a
 * file or its lines are missing or the lines are blank.
 */
export function readStatedLines(one: EvalCase, root: string): EvalCase {
  const read = (passage: StatedPassage): StatedPassage =>
    passage.lines === undefined ? passage : { ...passage, text: textAt(one, passage, root) }
  const facts = one.known.facts.map((fact) => ({ ...fact, stated: fact.stated.map(read) }))
  return { ...one, known: { ...one.known, facts } }
}

function textAt({ id, corpus }: EvalCase, { path, lines = '' }: StatedPassage, root: string): string {
  const [from = 1, to = from] = lines.split('-').map(Number)
  const statedLines = readLines(join(root, path)).slice(from - 1, to)
  const text = statedLines.join('\n').trim()
  if (statedLines.length === to - from + 1 && text !== '') return text
  throw new UserError(`${id}: the corpus ${corpus.name} has no lines ${lines} of ${path}`, {
    hint: 'name the lines of the commit in the file of corpora',
  })
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}
