// The module of `import … from 'anode-cli'`. It loads the program at the first call.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const load = () => require('./library.cjs')

export const createAgent = async (options) => load().createAgent(options)
export const defineTool = (tool) => load().defineTool(tool)
export const toolSchemas = async (list, options) => load().toolSchemas(list, options)
