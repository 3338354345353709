// Files of a workspace that its configured commands refer to. They need trust, because their content
// is what runs.
import { dirname, join, relative, resolve, sep } from 'node:path'
import { isFile } from '../base/files/path-lookup.ts'

/** Keys of `anode.json` that contain command lines. All other keys contain patterns and texts. */
const commanding = new Set(['mcpServers', 'plugins', 'tools', 'lsp', 'hooks'])

/** Programs that take their commands from a file with a fixed name, with those names. */
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

/**
 * Largest number of words of a configuration that are searched. Further words are ignored, because no
 * hand-written configuration has more.
 */
const maxWords = 20_000

/**
 * Returns sorted paths, relative to `root`, of the files in it that words of the configuration file `name`
 * refer to. Each word may name a script, wherever it appears. Of `anode.json`, only the keys with commands
 * are searched, and of Markdown, only the header. A text that is not JSON is searched as a whole. Files that
 * such a script reads are not searched.
 */
export function findNamedFiles(root: string, name: string, text: string): string[] {
  const paths = new Set<string>()
  const words = new Set(wordsOf(name, text))
  let count = 0
  for (const word of words) {
    if (++count > maxWords) break
    for (const path of candidatesOf(word, root, dirname(join(root, name))))
      if (isFile(path)) paths.add(relative(root, path))
  }
  return [...paths].filter((path) => !path.startsWith(`..${sep}`)).sort()
}

/**
 * Returns the texts of the configuration that may contain commands, and their words, divided
 * wherever a shell could end a word. A variable and the slash after it are removed from the words.
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
    // The text has comments or is damaged, so it cannot be parsed as JSON and every word of it counts.
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
  // `node x` and `require` find the files with the endings for JavaScript, `python -m a.b` those for Python.
  const scripts = ['.js', '.mjs', '.cjs', '/index.js', '/package.json', '.py', '/__main__.py']
  const module = /^[\w.]+$/.test(word) ? [resolve(root, word.replaceAll('.', '/'))] : []
  return [
    ...direct,
    ...[...direct, ...module].flatMap((path) => scripts.map((end) => path + end)),
    ...(implied[word.split('/').at(-1) as string] ?? []).map((path) => join(root, path)),
  ]
}
