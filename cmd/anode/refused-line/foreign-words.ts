// Words that people type because another program has them: what is meant here, or what to type instead.
import { UserError } from '../../../internal/base/errors.ts'

/** What does the same, or why there is nothing of the kind. */
const hints: Readonly<Record<string, string>> = {
  agents: 'anode profiles list',
  ask: 'anode study "…" answers from the files here; anode execute "…" runs an agent',
  auth: 'anode login',
  chat: 'anode opens a session; anode execute "…" asks once',
  continue: 'anode --continue',
  cost: 'anode usage',
  daemon: 'anode serve',
  dashboard: 'anode serve --open',
  docs: 'anode manual',
  history: 'anode threads list',
  init: 'nothing has to be set up: a model needs anode login, instructions for it stand in AGENTS.md',
  hooks: 'anode manual hooks',
  install: 'npm install --global, as the README shows',
  keys: 'anode models shows them, anode login stores one',
  list: 'anode threads list, anode models or anode tools list',
  memory: 'instructions for a model stand in AGENTS.md, earlier threads in anode threads search',
  new: 'anode opens a session; anode runs start begins a run without one',
  plan: 'anode execute --profile review "…" reads and changes nothing',
  plugins: 'anode manual plugins',
  resume: 'anode --resume',
  server: 'anode serve',
  session: 'anode opens one; anode --resume goes on with an earlier one',
  sessions: 'anode threads list',
  settings: 'anode config list',
  stats: 'anode usage',
  tool: 'anode tools',
  update: 'install the new version as you installed this one, with npm',
  ui: 'anode serve --open',
  upgrade: 'install the new version as you installed this one, with npm',
  web: 'anode serve --open',
}

/** Flags that say what every run does anyway. */
const silent = new Set(['-p', '--print', '-x', '--execute'])

/**
 * The words of an `execute` that is meant although its name is not there: a question in quotes, or flags of
 * a run; none for a line that says nothing, as `anode ""` does. Throws UserError with the nearest thing there
 * is for words that belong to other programs.
 */
export function readForeignWords(
  words: readonly string[],
  commands: readonly string[],
): string[] | undefined {
  const [first = '', ...rest] = words
  if (words.every((word) => word.trim() === '')) return []
  if (first === '--' && rest.length > 0) return [...words]
  if (silent.has(first)) return rest
  const command = first.startsWith('-') ? rest.find((word) => commands.includes(word)) : undefined
  if (command !== undefined) {
    throw new UserError(`unknown command ${first}`, {
      hint: `flags stand behind the command: anode ${command} … ${first}`,
    })
  }
  if (/^-[a-zA-Z]|^--[a-z]/.test(first) || /\S\s+\S/.test(first)) return [...words]
  const hint = Object.hasOwn(hints, first.toLowerCase()) ? hints[first.toLowerCase()] : undefined
  if (hint !== undefined) throw new UserError(`there is no command ${first}`, { hint })
  return undefined
}

/** For a line of several words that begins with no command: probably a question that lacks its quotes. */
export function suggestQuestion(words: readonly string[]): string | undefined {
  return words.length < 3 ? undefined : `did you mean anode execute "${words.join(' ')}"?`
}
