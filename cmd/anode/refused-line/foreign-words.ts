// Commands and flags of other programs that users type, with the matching commands of Anode.
import { UserError } from '../../../internal/base/errors.ts'
import { quoteForShell } from '../../../internal/base/text/quoting/shell-word.ts'
import { takesValue } from '../typed-option.ts'
import type { CommandOption } from '../verb.ts'

/** For each word of another program, the matching command of Anode, or a text about what to do instead. */
const hints: Readonly<Record<string, string>> = {
  agent: 'anode profiles list',
  agents: 'anode profiles list',
  ask: 'anode study "…" answers from the files here; anode execute "…" runs an agent',
  auth: 'anode login',
  chat: 'anode opens a session; anode execute "…" asks once',
  continue: 'anode --continue',
  cost: 'anode usage',
  daemon: 'anode serve',
  dashboard: 'anode serve --open',
  docs: 'anode manual',
  experiments: 'anode research status',
  history: 'anode threads list',
  init: 'nothing has to be set up: a model needs anode login, its instructions are in AGENTS.md',
  hooks: 'anode manual hooks',
  install: 'npm install --global, as the README shows',
  keys: 'anode models shows them, anode login stores one',
  list: 'anode threads list, anode models or anode tools list',
  ls: 'anode threads list, anode models or anode tools list',
  memory: 'instructions for a model are in AGENTS.md, earlier threads in anode threads search',
  new: 'anode opens a session; anode runs start begins a run without one',
  plan: 'anode execute --profile review "…" reads and changes nothing',
  plugins: 'anode manual plugins',
  redo: 'anode undo --redo',
  resume: 'anode --resume',
  sandbox: 'anode manual sandbox',
  server: 'anode serve',
  session: 'anode opens one; anode --resume opens an earlier one',
  sessions: 'anode threads list',
  settings: 'anode config list',
  stats: 'anode usage',
  studies: 'anode study list',
  test: 'anode prove "npm test" runs a check, also with the original tests',
  tool: 'anode tools',
  update: 'install the new version as you installed this one, with npm',
  ui: 'anode serve --open',
  upgrade: 'install the new version as you installed this one, with npm',
  web: 'anode serve --open',
}

/**
 * For a word after the name of a group, the matching command, or the place where the user finds an answer.
 * `*` means any other word.
 */
const groupHints: Readonly<Record<string, string>> = {
  'config edit': 'anode config path prints the file; anode config set KEY VALUE changes one value',
  'config get': 'anode config list',
  'config init': 'anode config set KEY VALUE creates the file',
  'config show': 'anode config list',
  'cron start': 'anode cron run',
  'cron stop': 'anode cron disable ID',
  'lsp add': 'anode manual lsp',
  'lsp restart': 'each session starts its servers; anode lsp doctor tests them',
  'mcp install': 'anode mcp add NAME -- COMMAND, or anode mcp add NAME --url URL',
  'mcp start': 'anode mcp tools NAME starts the server and lists its tools',
  'mcp test': 'anode mcp tools NAME starts the server and lists its tools',
  'models set': 'anode config set model PROVIDER/MODEL',
  'models *': 'anode models list --provider NAME',
  'permissions add': 'anode manual permissions',
  'permissions allow': 'anode manual permissions',
  'permissions remove': 'anode permissions forget ID',
  'permissions set': 'anode manual permissions',
  'plugins add': 'anode manual plugins',
  'plugins install': 'anode manual plugins',
  'plugins remove': 'anode manual plugins',
  'profiles add': 'anode manual profiles',
  'profiles create': 'anode manual profiles',
  'profiles set': 'anode config set profile NAME',
  'profiles use': 'anode --profile NAME, or anode config set profile NAME',
  'research start': 'anode research init sets it up, anode research run measures once',
  'research stop': 'Ctrl-C ends a command; anode research finalize ends the experiment',
  'runs attach': 'anode attach RUN',
  'runs delete': 'anode threads delete THREAD',
  'runs end': 'anode runs cancel RUN',
  'runs kill': 'anode runs cancel RUN',
  'runs log': 'anode attach RUN, or anode threads show THREAD',
  'runs logs': 'anode attach RUN, or anode threads show THREAD',
  'runs new': 'anode runs start "…"',
  'runs resume': 'anode attach RUN, or anode --resume THREAD',
  'runs show': 'anode attach RUN, or anode threads show THREAD',
  'runs stop': 'anode runs cancel RUN',
  'serve restart': 'anode serve stop, then anode serve',
  'serve status': 'anode serve --open shows the page of a server that runs',
  'skills add': 'anode manual instructions-and-skills',
  'skills create': 'anode manual instructions-and-skills',
  'skills install': 'anode manual instructions-and-skills',
  'threads continue': 'anode --resume THREAD',
  'threads fork': 'anode --fork THREAD',
  'threads new': 'anode opens a session',
  'threads open': 'anode --resume THREAD',
  'threads rename': '/rename TITLE in the session: anode --resume THREAD',
  'threads restore': 'anode threads archive --undo THREAD',
  'threads resume': 'anode --resume THREAD',
  'tools call': 'anode tools use NAME',
  'tools exec': 'anode tools use NAME',
  'tools info': 'anode tools show NAME',
  'tools run': 'anode tools use NAME',
}

/**
 * Returns the hint for a word of another program after `group`, usually the matching command. For
 * another word, returns the hint for any word after this group, such as after `models`; undefined if the
 * group has none.
 */
export function readGroupHint(group: string, word: string): string | undefined {
  const name = `${group} ${word.toLowerCase()}`
  return [name, `${group} *`].flatMap((one) => (Object.hasOwn(groupHints, one) ? [groupHints[one]] : []))[0]
}

/**
 * Flags that are dropped when they begin a command line without a command: they only request that the answer
 * is printed, which a run does anyway.
 */
const silent = new Set(['-p', '--print', '-x', '--execute'])

/**
 * Returns the command that follows the flags and their values at the beginning; undefined if two dashes,
 * another word or nothing follows them.
 */
function findCommand(
  words: readonly string[],
  commands: readonly string[],
  options: Readonly<Record<string, CommandOption>>,
): string | undefined {
  const at = words.findIndex((one, i) => !/^-./.test(one) && !takesValue(words[i - 1], options))
  const word = words[at] ?? ''
  // Words after two dashes are text of the user and not commands.
  return commands.includes(word) && !words.slice(0, at).includes('--') ? word : undefined
}

/**
 * Returns the words for a session or a run without a command: a quoted question, flags, words after two
 * dashes, or `session --help`. Returns an empty list for empty words such as `anode ""` and for `-p` alone,
 * and undefined for unknown words. Throws UserError for words of other programs, with a hint such as the
 * matching command, and for flags before a command. `options` contains the options of a run.
 */
export function readForeignWords(
  words: readonly string[],
  commands: readonly string[],
  options: Readonly<Record<string, CommandOption>>,
): string[] | undefined {
  const [first = '', ...rest] = words
  if (words.every((word) => word.trim() === '')) return []
  if (first === '--' && rest.length > 0) return [...words]
  if (silent.has(first)) return rest
  if (asksSessionHelp(words)) return [...words]
  const command = first.startsWith('-') ? findCommand(words, commands, options) : undefined
  if (command !== undefined) {
    throw new UserError(`unknown command ${first}`, {
      hint: `flags follow the command: anode ${command} … ${first}`,
    })
  }
  if (/^-[a-zA-Z]|^--[a-z]/.test(first) || /\S\s+\S/.test(first)) return [...words]
  const hint = Object.hasOwn(hints, first.toLowerCase()) ? hints[first.toLowerCase()] : undefined
  if (hint !== undefined) throw new UserError(`unknown command ${first}`, { hint })
  return undefined
}

/**
 * Returns a suggestion to quote the words, if at least three were typed without a command, as they are
 * probably a question. Returns undefined for fewer words.
 */
export function suggestQuestion(words: readonly string[]): string | undefined {
  const { text, flags } = splitFlags(words)
  if (text.length === 0 || words.length < 3) return undefined
  const question = quoteText(text.join(' '))
  return `did you mean anode ${flags.length === 0 ? question : `execute ${[question, ...flags].join(' ')}`}?`
}

/** Returns true if the words are `session` and later `--help` or `-h`. A session has no command word. */
export const asksSessionHelp = ([first, ...rest]: readonly string[]): boolean =>
  first === 'session' && rest.some((word) => word === '--help' || word === '-h')

/** Returns a hint on how to send these words to a model as a message. */
export function suggestMessage(words: readonly string[]): string {
  const { text, flags } = splitFlags(words)
  return `as a message: anode ${[...flags, '--', ...text.map(quoteWord)].join(' ')}`
}

/**
 * Splits words into the text before the first flag, and the quoted words from this flag to the end. Without
 * flags, with a flag as the first word, or with two dashes before all flags, all words count as the text.
 */
function splitFlags(words: readonly string[]): { text: readonly string[]; flags: string[] } {
  const at = words.findIndex((word) => /^-./.test(word))
  if (at <= 0 || words[at] === '--') return { text: words, flags: [] }
  return { text: words.slice(0, at), flags: words.slice(at).map(quoteWord) }
}

const quoteWord = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteText(word))

/** Returns a text in quotes, so that a shell treats it as one word. */
const quoteText = (text: string) => (/["$`\\!]/.test(text) ? quoteForShell(text) : `"${text}"`)
