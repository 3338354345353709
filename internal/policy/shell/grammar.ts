// Finds, loads and runs the shell grammar; it is loaded at most once, on the first line that needs it.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { Parser, Tree } from 'web-tree-sitter'
import { messageOf } from '../../base/errors.ts'

/** Milliseconds that one line may be parsed for. */
const LIMIT = 2_000

let loading: Promise<Parser> | undefined

/** The syntax tree of a line, to be deleted by the caller, or the reason why there is none. */
export async function parse(line: string): Promise<Tree | string> {
  let parser: Parser
  try {
    loading ??= load()
    parser = await loading
  } catch (error) {
    return `the shell grammar is missing (${messageOf(error).split('\n')[0]})`
  }
  const end = performance.now() + LIMIT
  const tree = parser.parse(line, null, { progressCallback: () => performance.now() > end })
  if (tree) return tree
  // a cancelled parse would go on with the next text
  parser.reset()
  return 'reading it takes too long'
}

async function load(): Promise<Parser> {
  // the optimising compiler needs most of a second for the grammar's tables, and a process does not end before that
  setFlagsFromString('--liftoff-only --no-wasm-dynamic-tiering --no-wasm-tier-up')
  const { Language, Parser } = await import('web-tree-sitter')
  await Parser.init({
    locateFile: () => locate('web-tree-sitter.wasm', 'web-tree-sitter/web-tree-sitter.wasm'),
  })
  const parser = new Parser()
  parser.setLanguage(
    await Language.load(locate('tree-sitter-bash.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm')),
  )
  return parser
}

/** Beside the running bundle first, then among the installed packages. Throws when it is in neither place. */
export function locate(file: string, installed: string, from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  for (const dir of [here, dirname(here)]) {
    const path = join(dir, file)
    if (existsSync(path)) return path
  }
  return createRequire(from).resolve(installed)
}
