// The package as a library, whose functions library.mjs exports. The code of an agent is loaded only with
// the first agent.
import { defineFunction } from '../../internal/service/library/define-function.ts'
import type { AnodeLibrary } from '../../internal/service/library/library-types.ts'

export const createAgent: AnodeLibrary['createAgent'] = async (options) =>
  (await import('../../internal/service/library/library-agent.ts')).createLibraryAgent(options)

export const defineTool: AnodeLibrary['defineTool'] = defineFunction

export const toolSchemas: AnodeLibrary['toolSchemas'] = async (list, options) =>
  (await import('../../internal/service/library/library-schemas.ts')).declareLibraryTools(list, options)
