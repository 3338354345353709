// Checks a function that a program brings as a tool, where it is defined.
import { createFunctionTool } from '../../toolbox/function-tool.ts'
import type { FunctionTool } from './library-types.ts'

/** The same tool. Throws UserError for one that cannot be used. */
export function defineFunction<T extends FunctionTool>(tool: T): T {
  createFunctionTool(tool)
  return tool
}
