// Conversion of the tools that a program names or defines as functions into a request for a toolset.
import { UserError } from '../../base/errors.ts'
import type { BroughtTool, ToolsetRequest } from '../../runtime/toolset/toolset-session.ts'
import type { ListedTool, ToolEntry } from '../../tool/catalog.ts'
import { toToolEntries } from '../../tool/describe.ts'
import { createFunctionTool } from '../../toolbox/function-tool.ts'
import type { FunctionTool } from './library-types.ts'

type NamedTool = string | FunctionTool

interface WantedTools {
  toolset?: string | undefined
  tools?: readonly NamedTool[] | undefined
  extraTools?: readonly NamedTool[] | undefined
}

/**
 * Returns the request for a toolset. Throws UserError for an invalid tool, two functions with the same name,
 * and a value that is not a list. Also throws it if both `tools` and `extraTools` are set.
 */
export function requestTools(
  { toolset, tools, extraTools }: WantedTools,
  deadline?: () => number | undefined,
): ToolsetRequest {
  if (tools && extraTools)
    throw new UserError('tools and extraTools exclude each other', {
      hint: 'give one of them',
    })
  const requestedTools = tools ?? extraTools
  if (!requestedTools) return { name: toolset }
  if (!Array.isArray(requestedTools)) throw new UserError('tools and extraTools are lists')
  const brought: BroughtTool[] = []
  const names = requestedTools.map((one: NamedTool) => {
    if (typeof one === 'string') return one
    const { tool, guidance } = createFunctionTool(one, deadline)
    if (brought.some(({ name }) => name === tool.name))
      throw new UserError(`two tools have the name ${one.name}`, { hint: 'rename one of them' })
    brought.push(
      ...toToolEntries([tool], 'custom').map((entry) => ({
        ...entry,
        calledAs: one.name,
        guidance: guidance ?? entry.guidance,
      })),
    )
    return tool.name
  })
  return { name: toolset, brought, only: tools ? names : undefined, extra: tools ? undefined : names }
}

/** Throws UserError if a function of the program has the name of another tool of the session. */
export function checkBroughtNames({ brought = [] }: ToolsetRequest, listed: readonly ListedTool[]): void {
  const lost = brought.find(({ name }) => listed.some((one) => one.name === name))
  if (lost)
    throw new UserError(`the name ${lost.calledAs} belongs to another tool of the session`, {
      hint: 'rename your tool',
    })
}

/**
 * Throws UserError for a requested tool that is unknown or hidden, and for a tool of the program whose name
 * another tool of the session or a custom tool already has.
 */
export function checkOffered(
  { only, extra, brought = [] }: ToolsetRequest,
  listed: readonly ListedTool[],
  entries: readonly ToolEntry[],
): void {
  checkBroughtNames({ brought }, listed)
  const twice = brought.find(({ name }) => entries.filter((one) => one.name === name).length > 1)
  if (twice)
    throw new UserError(`${twice.name} is there already, as a custom tool of the user or the workspace`, {
      hint: 'give yours another name',
    })
  for (const name of [...(only ?? []), ...(extra ?? [])]) {
    const shortName = name.slice(name.indexOf('/') + 1)
    const listedTool = listed.find((one) => one.name === shortName || one.natives?.join() === shortName)
    if (listedTool && listedTool.hidden === undefined) continue
    throw new UserError(`the tool ${name} is not offered: ${listedTool?.hidden ?? 'the name is unknown'}`, {
      hint: 'name a profile that has it, or leave it out',
    })
  }
}
