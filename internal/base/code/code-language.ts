// The language of code, from the name of its file or from the first line of its Markdown block. Pure.

/** Grammars for file extensions and names of code blocks that the grammars do not list as their aliases. */
const otherNames: Readonly<Record<string, string>> = {
  mts: 'typescript',
  cts: 'typescript',
  jsonl: 'json',
  ndjson: 'json',
  ipynb: 'json',
  webmanifest: 'json',
  pyi: 'python',
  pyw: 'python',
  svg: 'xml',
  vue: 'xml',
  svelte: 'xml',
  csproj: 'xml',
  htm: 'xml',
  conf: 'ini',
  cfg: 'ini',
  properties: 'ini',
  env: 'ini',
  editorconfig: 'ini',
  gitconfig: 'ini',
  bashrc: 'bash',
  profile: 'bash',
  zshrc: 'bash',
  fish: 'bash',
  gql: 'graphql',
  proto: 'protobuf',
  m: 'objectivec',
  sc: 'scala',
  exs: 'elixir',
  hrl: 'erlang',
  pm: 'perl',
  psm1: 'powershell',
  mdx: 'markdown',
  cu: 'cpp',
  ino: 'cpp',
  kts: 'kotlin',
  cljs: 'clojure',
  rake: 'ruby',
  mli: 'ocaml',
  jl: 'julia',
}

const fileNames: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  makefile: 'makefile',
  gnumakefile: 'makefile',
  'cmakelists.txt': 'cmake',
  gemfile: 'ruby',
  rakefile: 'ruby',
  jenkinsfile: 'java',
}

const hasEntry = (table: object, key: string) => Object.hasOwn(table, key)

/**
 * Returns the language for a file extension or the name of a code block, in lower case. An unknown name is
 * returned as the language. Undefined for an empty text, for more than 24 characters, and for a text with a
 * character that no name has, such as a space.
 */
export function languageOfName(name: string): string | undefined {
  const key = name.toLowerCase()
  // `constructor` and other inherited properties of an object are not languages, so only own entries count
  if (!/^[a-z0-9+#_.-]{1,24}$/.test(key)) return undefined
  return hasEntry(otherNames, key) ? otherNames[key] : key
}

/**
 * Returns the language of a file: `src/a.ts` is `ts`, `Dockerfile` is `dockerfile`. Undefined for an unknown
 * name without an extension.
 */
export function languageOfPath(path: string): string | undefined {
  const name = (/[^/\\]*$/.exec(path)?.[0] ?? '').toLowerCase()
  if (hasEntry(fileNames, name)) return fileNames[name]
  const extension = /^dockerfile\./.test(name) ? 'dockerfile' : /\.([a-z0-9+_-]+)$/.exec(name)?.[1]
  return extension === undefined ? undefined : languageOfName(extension)
}

/**
 * Returns the language in the first line of a block of Markdown: `ts title="a.ts"` and `{.ts}` are `ts`.
 * Undefined for a line without a language.
 */
export function languageOfFence(info: string | undefined): string | undefined {
  const word = /^[\s{.]*([^\s{},:]+)/.exec(info ?? '')?.[1]
  return word === undefined ? undefined : languageOfName(word)
}
