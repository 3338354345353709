// The flags that select the tools of a session: a toolset, only certain tools, or additional tools.
import type { ToolsetRequest } from '../../../internal/runtime/toolset/toolset-session.ts'
import { type CommandArgs, type CommandOption, listArg, stringArg } from '../verb.ts'

export const toolsetOptions: Readonly<Record<string, CommandOption>> = {
  toolset: { type: 'string', describe: 'Tools under the names of another program', value: 'NAME' },
  tool: { type: 'array', describe: 'Exactly these tools, in this order', value: 'NAME' },
  'extra-tool': { type: 'array', describe: 'These tools besides: NAME or TOOLSET/NAME', value: 'NAME' },
}

/**
 * Returns the selection of tools; undefined if no flag and no `qualified` name is set. A `qualified` name of
 * the form `TOOLSET/NAME` also selects that toolset, unless a flag sets another, and adds that tool.
 */
export function readToolset(args: CommandArgs, qualified?: string): ToolsetRequest | undefined {
  const [toolset, adapter] = qualified?.split('/') ?? []
  const name = stringArg(args, 'toolset') ?? (adapter === undefined ? undefined : toolset)
  const names = (flag: string) => listArg(args, flag).flatMap((text) => text.split(',').filter(Boolean))
  const only = names('tool')
  const extra = [...names('extra-tool'), ...(adapter === undefined ? [] : [qualified as string])]
  if (name === undefined && only.length === 0 && extra.length === 0) return undefined
  return { name, only: only.length > 0 ? only : undefined, extra: extra.length > 0 ? extra : undefined }
}

/** Returns the name of a tool without its toolset: `NAME` for `TOOLSET/NAME`. */
export const nameInSession = (name: string) => name.slice(name.indexOf('/') + 1)
