// The effects that a workspace's files have once they are trusted, for a user who checks before deciding.
import { join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import { parseJsonc } from '../base/text/jsonc.ts'
import { isObject } from '../base/untrusted-json.ts'

/** Effects of a file, one sentence each. `text` is the complete file, if it is a text of at most 64 KiB. */
interface SuppliedFileEffects {
  path: string
  effects: string[]
  text?: string
}

const maxTextBytes = 64 << 10

/** Descriptions of kinds of files by a pattern of their path; the first match counts. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^node_modules\/\.bin\//, 'a language server: started when a file of its language is worked on'],
  [/(^|\/)profiles\/.*\.md$/, 'a profile: instructions and tools of a run that names it'],
  [/(^|\/)SKILL\.md$/, 'a skill: instructions that the model may read'],
  [/^\.claude\/agents\/.*\.md$/, 'an agent: instructions of a run that selects it, with your tools'],
  [/(^|\/)commands\/.*\.md$/, 'a command: instructions that you or the model may call by its name'],
  [/^\.agents\/checks\//, 'a check: instructions for reviews'],
  [/(^|\/)tools\/[^/]+\.m?js$/, 'a module of tools: its code runs when such a tool is called'],
  [/^(anode\.json|\.anode\/config\.json)$/, 'configuration: overrides values of your configuration'],
  [/^\.mcp\.json$/, 'MCP servers: programs and addresses that offer tools'],
  [
    /^(\.lsp\.json|\.anode\/lsp\.json)$/,
    'language servers: started when a file of their language is worked on',
  ],
  [/^\.anode\/hooks\.json$/, 'hooks: commands that run by themselves at fixed moments'],
  [/^\.(anode|agents|claude)\//, 'may be read or run by the files next to it'],
]

/**
 * Returns the effects of each of the `files`, which are paths from `readSuppliedFiles`, in the same order.
 * For a file that cannot be read or parsed, one effect gives the reason.
 */
export async function describeSuppliedFiles(
  root: string,
  files: readonly string[],
): Promise<SuppliedFileEffects[]> {
  return await Promise.all(files.map(async (path) => await describeFile(root, path)))
}

async function describeFile(root: string, path: string): Promise<SuppliedFileEffects> {
  const kind = kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'a command of these files names it'
  try {
    const text = readSmall(join(root, path), maxTextBytes)
    if (text === undefined) return { path, effects: [kind, 'leads to nothing'] }
    const effects = /\.jsonc?$/.test(path) ? listEffects(await parseJsonc(text)) : []
    return { path, effects: [kind, ...effects], text }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { path, effects: [kind, `not shown: ${error.message}`], ...readDamaged(root, path) }
  }
}

/**
 * Returns the text of a file that cannot be parsed, because the user sees such a file too; an empty object
 * for a file that is missing, too large or unreadable.
 */
function readDamaged(root: string, path: string): { text?: string } {
  try {
    const text = readSmall(join(root, path), maxTextBytes)
    return text === undefined ? {} : { text }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return {}
  }
}

/**
 * Lists the commands, URLs and rules at any depth of a configuration; commands and URLs with the keys that
 * lead to them.
 */
function listEffects(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one, i) => listEffects(one, `${at}[${i}]`))
  if (!isObject(value)) return []
  const { command, action, tool } = value
  if (typeof action === 'string' && typeof tool === 'string') return [describeRule(value)]
  const words = [command, value.args].flat().filter((word) => typeof word === 'string')
  const commandEffects =
    command !== undefined && words.length > 0 ? [`${at || 'it'} starts: ${words.join(' ')}`] : []
  const ignored = at.startsWith('providers') ? '; does not count, providers are yours alone' : ''
  const addresses = ['url', 'baseUrl', 'httpUrl'].flatMap((key) =>
    typeof value[key] === 'string' ? [`${at || 'it'} talks to: ${value[key]}${ignored}`] : [],
  )
  const below = Object.entries(value).flatMap(([key, one]) =>
    key === 'command' || key === 'args' ? [] : listEffects(one, at === '' ? key : `${at}.${key}`),
  )
  return [...commandEffects, ...addresses, ...below]
}

function describeRule({ action, tool, ...limits }: Record<string, unknown>): string {
  const words = Object.entries(limits).flatMap(([key, one]) =>
    key === 'examples' || key === 'reason' ? [] : [`${key} ${JSON.stringify(one)}`],
  )
  const rule = `a rule: ${[`${action} ${tool}`, ...words].join(', ')}`
  return action === 'allow' ? `${rule}; does not count, a workspace allows nothing` : rule
}
