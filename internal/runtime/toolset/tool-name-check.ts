// Checks of the tool names that the user limits a run to.
import { UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import type { StartingServers } from '../extensions/starting-servers.ts'
import { globOf } from '../tools/tool-registry.ts'

interface NamedTools {
  entries(): readonly { name: string }[]
  foreign: { opened: { starting: StartingServers } | undefined }
}

/** Waits for servers that start in the background if `wanted` names a tool that only they can have. */
export async function awaitNamedTools(
  wanted: readonly string[] | undefined,
  { entries, foreign }: NamedTools,
  signal: AbortSignal,
): Promise<void> {
  for (const tool of wanted ?? []) {
    const isOpen = tool.startsWith('mcp__') && !tool.includes('*')
    if (isOpen && !entries().some(({ name }) => name === tool))
      await foreign.opened?.starting.wait(tool, signal)
  }
}

/** Throws UserError for names and globs that match no tool, and suggests similar names. */
export function checkToolNames(wanted: readonly string[] | undefined, names: readonly string[]): void {
  // a glob for tools of servers and plugins may have no match at the moment
  const isForeignGlob = (pattern: string) => pattern.includes('__') && pattern.includes('*')
  const lost = (wanted ?? []).filter(
    (pattern) => !isForeignGlob(pattern) && !names.some((name) => globOf(pattern).test(name)),
  )
  if (lost.length === 0) return
  const near = lost
    .map((pattern) => suggestNames(pattern.toLowerCase().replaceAll('-', '_'), names))
    .find(Boolean)
  throw new UserError(`--allow-tool ${lost.join(', ')}: unknown tool`, {
    hint: near ? `${near} (all: anode tools list --all)` : 'see `anode tools list --all`',
  })
}
