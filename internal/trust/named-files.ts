// The files of a workspace that its configuration's command lines name: what they hold is what runs.
import { statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** Keys of `anode.json` below which command lines stand; the others hold patterns and texts. */
const commanding = new Set(['mcpServers', 'plugins', 'tools', 'lsp', 'hooks'])

/** Programs that take what they run from a file of a fixed name. */
const implied: Readonly<Record<string, readonly string[]>> = {
  npm: ['package.json'],
  npx: ['package.json'],
  pnpm: ['package.json'],
  yarn: ['package.json', '.yarnrc.yml', '.yarnrc'],
  bun: ['package.json', 'bunfig.toml'],
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile'],
  rake: ['Rakefile'],
  deno: ['deno.json', 'deno.jsonc'],
  cargo: ['Cargo.toml', 'build.rs'],
  docker: ['Dockerfile', 'compose.yaml', 'docker-compose.yml'],
}

/** More words than any configuration of a person has. */
const maxWords = 20_000

/**
 * Paths relative to `root`, sorted, of the files that a word of the configuration file `name` leads to. Any
 * word may be a script whatever stands before it; the text need not be valid JSON. What such a script reads
 * in turn is not looked for.
 */
export function findNamedFiles(root: string, name: string, text: string): string[] {
  const found = new Set<string>()
  const words = new Set(wordsOf(name, text))
  let count = 0
  for (const word of words) {
    if (++count > maxWords) break
    for (const path of candidatesOf(word, root, dirname(join(root, name))))
      if (isFile(path)) found.add(relative(root, path))
  }
  return [...found].filter((path) => !path.startsWith(`..${sep}`)).sort()
}

/**
 * Words of every string, cut wherever a shell could end one; a variable before a slash is taken for a folder.
 */
function wordsOf(name: string, text: string): string[] {
  const words = textsOf(name, text).flatMap((one) => [
    one,
    ...one.replace(/\$\{?\w+\}?\//g, ' ').split(/[\s'"`;|&()<>{}$=,:!]+/),
  ])
  return words.filter((word) => word !== '')
}

function textsOf(name: string, text: string): string[] {
  if (name.endsWith('.md')) return [/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '']
  try {
    const value: unknown = JSON.parse(text)
    return name === 'anode.json' ? stringsIn(commandsOf(value)) : stringsIn(value)
  } catch {
    // with comments, or damaged: every word of it counts
    return [text]
  }
}

function commandsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).flatMap(([key, item]) => (commanding.has(key) ? [item] : []))
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}

function candidatesOf(word: string, root: string, dir: string): string[] {
  const bare = word.startsWith('/') ? [] : [resolve(dir, word)]
  const direct = [resolve(root, word), ...bare]
  // `node x` and `require` find these, `python -m a.b` those
  const scripts = ['.js', '.mjs', '.cjs', '/index.js', '/package.json', '.py', '/__main__.py']
  const module = /^[\w.]+$/.test(word) ? [resolve(root, word.replaceAll('.', '/'))] : []
  return [
    ...direct,
    ...[...direct, ...module].flatMap((path) => scripts.map((end) => path + end)),
    ...(implied[word.split('/').at(-1) as string] ?? []).map((path) => join(root, path)),
  ]
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    // too long, or not to be looked at: then it is no file that could be run by that name
    return false
  }
}
