// The parser of shell lines, with limits of time and size. It loads the shell grammar at most once, for the
// first line that needs it.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { Parser } from 'web-tree-sitter'
import { messageOf } from '../../../base/errors.ts'
import { copyTree, type SyntaxTree } from './syntax-tree.ts'

/**
 * Limit for parsing one line, in milliseconds: of the processor time of this process or of the elapsed time,
 * the smaller one. So time spent waiting for a busy machine rarely counts.
 */
const maxParseMs = 15

/**
 * Milliseconds after which the parser gets no more text, so that it has to end. The limit is above
 * `maxParseMs`: if the text ends inside a long pipeline, the parser recovers in one step, and that step takes
 * longer than all earlier ones.
 */
const maxTextMs = maxParseMs + 10

/**
 * Number of characters up to which a line counts as short. Parsing it takes far less than `maxParseMs`, so
 * after a timeout it is parsed a second time.
 */
const shortLine = 1_280

/** Largest number of characters that the parser gets at once. */
const chunk = 32

/**
 * Largest number of nodes of one syntax tree. A line with more counts as one that cannot be parsed, so only a
 * rule for the exact line may allow it.
 */
const maxNodes = 2_500

let loading: Promise<Parser> | undefined

/** Returns the syntax tree of a line, or the reason why it cannot be parsed. */
export async function parseShell(line: string): Promise<SyntaxTree | string> {
  let parser: Parser
  try {
    loading ??= loadParser()
    parser = await loading
  } catch (error) {
    return `the shell grammar is missing (${messageOf(error).split('\n')[0]})`
  }
  const tree = parseOnce(parser, line)
  // The measured time may include other work of the process, so a short line that took too long is parsed
  // a second time.
  return tree === tooLong && line.length <= shortLine ? parseOnce(parser, line) : tree
}

function parseOnce(parser: Parser, line: string): SyntaxTree | string {
  const start = process.cpuUsage()
  const startedAt = performance.now()
  let late = false
  const usedMs = () => {
    const { user, system } = process.cpuUsage(start)
    // The processor time of this thread is at most the smaller of these two times.
    const elapsedMs = Math.min((user + system) / 1_000, performance.now() - startedAt)
    late ||= elapsedMs > maxParseMs
    return elapsedMs
  }
  const isLate = () => usedMs() > maxParseMs
  // while the parser recovers from an error it rarely calls back, but it still requests text, so the
  // text ends here
  const next = (at: number) => (usedMs() > maxTextMs ? '' : line.slice(at, at + chunk))
  const tree = parser.parse(next, null, { progressCallback: isLate })
  if (tree) {
    try {
      if (late) return tooLong
      return copyTree(tree, line, maxNodes) ?? 'it has too many words'
    } finally {
      tree.delete()
    }
  }
  // Without a reset, the parser would continue the cancelled parse with the next text.
  parser.reset()
  return tooLong
}

const tooLong = 'reading it takes too long'

async function loadParser(): Promise<Parser> {
  // the optimizing compiler needs almost a second for the grammar's tables, and the process waits for it
  // before it exits
  setFlagsFromString('--liftoff-only --no-wasm-dynamic-tiering --no-wasm-tier-up')
  const { Language, Parser } = await import('web-tree-sitter')
  await Parser.init({
    locateFile: () => locateGrammarFile('web-tree-sitter.wasm', 'web-tree-sitter/web-tree-sitter.wasm'),
  })
  const parser = new Parser()
  parser.setLanguage(
    await Language.load(locateGrammarFile('tree-sitter-bash.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm')),
  )
  // the first use compiles code, and no line should pay for that
  parser.parse('a "$(b)" | c > d <<E\nf\nE\n')?.delete()
  return parser
}

/**
 * Returns the path of a grammar file: next to the running bundle, in the directory above it, or in the
 * installed packages. Throws if it is in none of them.
 */
export function locateGrammarFile(file: string, installed: string, from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  for (const dir of [here, dirname(here)]) {
    const path = join(dir, file)
    if (existsSync(path)) return path
  }
  return createRequire(from).resolve(installed)
}
