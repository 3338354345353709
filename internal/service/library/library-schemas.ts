// Declarations of tools for a model, without a workspace. The tools are named or come from the program.

import { loadNativeEntries } from '../../runtime/tools/tool-registry.ts'
import { declareTools } from '../../runtime/toolset/tool-declarations.ts'
import { openToolset } from '../../runtime/toolset/toolset-session.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import { checkBroughtNames, requestTools } from './library-tools.ts'
import type { FunctionDeclaration, FunctionTool } from './library-types.ts'

/**
 * Returns the declarations in the order of the list. Throws UserError for an unknown name, an invalid tool,
 * and a name that two tools have.
 */
export async function declareLibraryTools(
  list: readonly (string | FunctionTool)[],
  { toolset }: { toolset?: string } = {},
): Promise<FunctionDeclaration[]> {
  const request = requestTools({ toolset, tools: list })
  const entries = [...(await loadNativeEntries()), ...(request.brought ?? [])]
  const opened = await openToolset(request, () => entries)
  const restrictions = { profile: undefined, disabled: [], web: true }
  const listed: ListedTool[] = opened.list({ restrictions, only: undefined, child: false })
  checkBroughtNames(request, listed)
  return declareTools(listed)
}
