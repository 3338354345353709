// The verb `anode mcp` for MCP servers. Its commands list, add, remove and approve servers, log in to them,
// and serve Anode's tools over MCP.
import type { VerbGroup } from '../verb.ts'
import { list } from './list.ts'
import { show } from './show.ts'
import { tools } from './tools.ts'

const loadEditing = async () => (await import('./editing-verbs.ts')).editingVerbs

export const mcp: VerbGroup = {
  name: 'mcp',
  summary: 'List, add and remove MCP servers, approve changes, log in; be one for other programs',
  verbs: {
    list,
    add: async () => (await loadEditing()).add,
    remove: async () => (await loadEditing()).remove,
    show,
    tools,
    approve: async () => (await loadEditing()).approve,
    trust: async () => (await loadEditing()).trust,
    login: async () => (await loadEditing()).login,
    serve: () => import('./serve.ts').then((m) => m.serve),
    logout: async () => (await loadEditing()).logout,
  },
}
