// Checks for rules that use another program's tool name, which never match, so they are errors; and
// explanations of such names in calls.
import { UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { canonicalToolName } from '../../tool/catalog.ts'
import { neededTools } from '../../toolset/adapter-entries.ts'
import { loadToolset, standardToolset, toolsetNames } from '../../toolset/index.ts'
import { adaptersOf, explainName } from '../../toolset/resolve-adapter.ts'

/**
 * Throws UserError if one of the names belongs to an adapter, which is a tool with the name of another
 * program. The error suggests the native tools. `names` contains no native tools.
 */
export async function refuseAdapterNames(names: readonly string[]): Promise<void> {
  const all = (await Promise.all(toolsetNames.map(loadToolset))).flatMap(adaptersOf)
  for (const name of names) {
    const match = all.find(({ toolset, adapter }) =>
      [adapter.name, `${toolset}/${adapter.name}`].includes(name),
    )
    if (!match) continue
    const natives = neededTools(match.adapter)
    throw new UserError(
      `permissions: ${name} is a tool of the toolset ${match.toolset}, and rules name native tools`,
      {
        hint: `name ${natives.join(' or ')}`,
      },
    )
  }
}

/**
 * Throws UserError for the first of `rules`. Each of them forbids or restricts a tool that does not exist.
 * `names` are the existing tools.
 */
export function refuseUnknownNames(
  rules: readonly { tool: string; action?: string; origin?: string }[],
  names: readonly string[],
): void {
  const [rule] = rules
  if (!rule) return
  const { tool, action = 'deny', origin } = rule
  const [, program = '', words = ''] = /^(\w+)\((.*?)(?::?\*)?\)$/.exec(tool) ?? []
  const named = canonicalToolName(program || tool)
  const near = names.includes(named) ? named : suggestNames(named.toLowerCase(), names, 1)
  const hint = program
    ? `write {"tool": "${named}", "action": "${action}", "command": "${words.trim()}"}`
    : names.includes(named)
      ? `write "${named}"`
      : near || 'see `anode tools list --all`'
  const where = origin ? ` in ${origin}` : ''
  const what = `the rule "${action} ${tool}"${where} guards nothing`
  throw new UserError(`permissions: ${what}: unknown tool "${tool}"`, { hint })
}

/**
 * Returns an explanation of a name that a toolset of another program uses; undefined for other names. It
 * loads all toolsets, so it is called only after a call of an unknown tool.
 */
export async function explainForeignName(name: string): Promise<string | undefined> {
  const all = await Promise.all(toolsetNames.map(loadToolset))
  return explainName(name, { own: await loadToolset(standardToolset), all, natives: [] })
}
