// Programs that run code given in their words or on standard input, as data.

export interface Interpreter {
  /** Short options that take code or load some. */
  code: string
  /** Long ones. */
  long?: string
  /** Short options with a value that is no code. */
  valued?: string
  /** Short options that end the options: what follows names a program (`python -m pytest`). */
  module?: string
  /** Words with which no code is taken from standard input. */
  idle?: RegExp
}

const anyVersion = /^(?:--version|-[vV]|--help|-h)$/

const python: Interpreter = {
  code: 'ci',
  valued: 'WX',
  module: 'm',
  idle: /^(?:--version|-V+|--help|-h|-\?)$/,
}
const node: Interpreter = {
  code: 'epri',
  long: 'eval print require import loader experimental-loader interactive env-file env-file-if-exists build-snapshot run',
  valued: 'C',
  idle: /^(?:--version|-v|--help|-h|--test|--v8-options)$/,
}
const oneLiner = (code: string, long = ''): Interpreter => ({ code, long, idle: anyVersion })

export const interpreters: Readonly<Record<string, Interpreter>> = {
  ...{ python, python2: python, python3: python, pypy: python, pypy3: python, node, nodejs: node },
  tsx: { ...node, long: `${node.long} tsconfig` },
  'ts-node': { code: 'eprOi', long: 'eval print require compiler compiler-options', idle: anyVersion },
  perl: oneLiner('eEnpiMmIdxs0'),
  ruby: oneLiner('enpirIxCES'),
  php: oneLiner('rBREFdaSczt'),
  lua: oneLiner('eli'),
  luajit: oneLiner('elib'),
  Rscript: oneLiner('e'),
  julia: oneLiner('eEpLi', 'eval print load'),
  groovy: oneLiner('enpi'),
  scala: oneLiner('ei'),
  elixir: oneLiner('eSr', 'eval rpc-eval'),
  erl: { code: '', long: '', idle: /^$/ },
  ghc: oneLiner('eF'),
  swift: oneLiner('e'),
  guile: oneLiner('celsi'),
  racket: oneLiner('elrptkmi', 'eval load require'),
  ocaml: oneLiner('ei'),
  bun: { code: 'epr', long: 'eval print preload', idle: /^\w/ },
  deno: { code: '', idle: /^\w/ },
  irb: { code: '', idle: anyVersion },
  jshell: { code: '', idle: anyVersion },
  bc: { code: '', idle: anyVersion },
}

/** Version suffixes (`python3.12`, `lua5.4`, `php8.2`) name the same interpreter. */
export function interpreterOf(program: string): Interpreter | undefined {
  const own = (name: string) => (Object.hasOwn(interpreters, name) ? interpreters[name] : undefined)
  return own(program) ?? own(program.replace(/-?\d[\d.]*$/, ''))
}

/** Why these words (the program first) run code that no file holds, or undefined. */
export function codeIn(words: readonly string[], table: Interpreter): string | undefined {
  const long = table.long?.split(' ').filter(Boolean) ?? []
  for (let i = 1; i < words.length; i++) {
    const word = words[i] as string
    if (word === '-') return 'it runs code from standard input'
    if (word === '--') return i + 1 < words.length ? undefined : 'it runs code from standard input'
    if (word.startsWith('--')) {
      const name = word.slice(2).split('=')[0] as string
      if (long.some((option) => option === name || (name.length > 1 && option.startsWith(name))))
        return `--${name} runs code`
      if (table.idle?.test(word)) return undefined
      continue
    }
    if (!/^-./.test(word) || table.idle?.test(word)) return undefined
    for (const letter of word.slice(1)) {
      if (table.code.includes(letter)) return `-${letter} runs code given on the line`
      if (table.module?.includes(letter)) return undefined
      if (table.valued?.includes(letter)) {
        if (word.endsWith(letter)) i++
        break
      }
    }
  }
  return 'it runs code from standard input'
}
