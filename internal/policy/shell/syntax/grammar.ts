// Finds, loads and runs the shell grammar; it is loaded at most once, on the first line that needs it.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { Parser } from 'web-tree-sitter'
import { messageOf } from '../../../base/errors.ts'
import { copyTree, type SyntaxTree } from './syntax-tree.ts'

/** Milliseconds of computing that one line may be parsed for; waiting for a busy machine does not count. */
const maxParseMs = 15

/**
 * After this the text ends for the parser, which then has to give up. Not as soon as it is late: the end of a
 * text in the middle of a long pipeline is an error that it mends in one step, and that step takes longer
 * than all before it.
 */
const maxTextMs = maxParseMs + 10

/** Characters of a line that by itself is read in less than that. */
const shortLine = 1_280

/** Characters that the parser is handed at once. */
const chunk = 32

/** Nodes of one tree; more are not read. */
const maxNodes = 2_500

let loading: Promise<Parser> | undefined

/** The syntax tree of a line, or the reason why there is none. */
export async function parseShell(line: string): Promise<SyntaxTree | string> {
  let parser: Parser
  try {
    loading ??= load()
    parser = await loading
  } catch (error) {
    return `the shell grammar is missing (${messageOf(error).split('\n')[0]})`
  }
  const tree = parseOnce(parser, line)
  // what the rest of the process computed, or compiled, meanwhile has counted, too: a second chance
  return tree === tooLong && line.length <= shortLine ? parseOnce(parser, line) : tree
}

function parseOnce(parser: Parser, line: string): SyntaxTree | string {
  const start = process.cpuUsage()
  let late = false
  const usedMs = () => {
    const { user, system } = process.cpuUsage(start)
    const used = (user + system) / 1_000
    late ||= used > maxParseMs
    return used
  }
  const isLate = () => usedMs() > maxParseMs
  // while it mends an error it asks for leave to go on rarely, but for text it still asks: then the text ends
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
  // a cancelled parse would go on with the next text
  parser.reset()
  return tooLong
}

const tooLong = 'reading it takes too long'

async function load(): Promise<Parser> {
  // the optimising compiler needs most of a second for the grammar's tables, and a process does not end
  // before that
  setFlagsFromString('--liftoff-only --no-wasm-dynamic-tiering --no-wasm-tier-up')
  const { Language, Parser } = await import('web-tree-sitter')
  await Parser.init({
    locateFile: () => locateGrammarFile('web-tree-sitter.wasm', 'web-tree-sitter/web-tree-sitter.wasm'),
  })
  const parser = new Parser()
  parser.setLanguage(
    await Language.load(locateGrammarFile('tree-sitter-bash.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm')),
  )
  // what is compiled at the first use counts for no line
  parser.parse('a "$(b)" | c > d <<E\nf\nE\n')?.delete()
  return parser
}

/** Beside the running bundle first, then among the installed packages. Throws when it is in neither place. */
export function locateGrammarFile(file: string, installed: string, from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  for (const dir of [here, dirname(here)]) {
    const path = join(dir, file)
    if (existsSync(path)) return path
  }
  return createRequire(from).resolve(installed)
}
