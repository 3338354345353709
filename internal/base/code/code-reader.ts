// The reader of code with the grammars of this installation, which are loaded with the first code.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CodeGrammars, type CodeRun, readCodeRuns, splitCodeLines } from './code-runs.ts'

let grammars: CodeGrammars | undefined

/** Loads the grammars synchronously, because callers show the lines at once. */
function loadGrammars(): CodeGrammars {
  const here = dirname(fileURLToPath(import.meta.url))
  // the grammars are next to the running bundle, or in the directory above its chunks
  const built = [join(here, 'grammars.cjs'), join(here, '..', 'grammars.cjs')]
  const file = built.find((path) => existsSync(path)) as string
  return createRequire(import.meta.url)(file) as CodeGrammars
}

/**
 * Returns the runs of each line: parts of the text, each with the kind of its words. Returns undefined if the
 * text stays plain: it is empty, too long, in no known language, or changed by its grammar.
 */
export function readCodeLines(text: string, language: string | undefined): CodeRun[][] | undefined {
  if (language === undefined || text === '') return undefined
  grammars ??= loadGrammars()
  const runs = readCodeRuns(text, language, grammars)
  return runs && splitCodeLines(runs)
}
