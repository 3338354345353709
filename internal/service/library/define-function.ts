// The check of a function that a program defines as a tool.
import { createFunctionTool } from '../../toolbox/function-tool.ts'
import type { FunctionTool } from './library-types.ts'

/** Returns the tool unchanged. Throws UserError for an invalid tool. */
export function defineFunction<T extends FunctionTool>(tool: T): T {
  createFunctionTool(tool)
  return tool
}
