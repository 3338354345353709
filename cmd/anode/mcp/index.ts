// The verb `anode mcp` for MCP servers. Its commands list, add, remove and approve servers, log in to them,
// and serve Anode's tools over MCP.
import type { VerbGroup } from '../verb.ts'
import { list } from './list.ts'
import { show } from './show.ts'
import { tools } from './tools.ts'

export const mcp: VerbGroup = {
  name: 'mcp',
  summary: 'List, add and remove MCP servers, approve changes, log in; be one for other programs',
  verbs: {
    list,
    add: () => import('./add.ts').then((m) => m.add),
    remove: () => import('./remove.ts').then((m) => m.remove),
    show,
    tools,
    approve: () => import('./approve.ts').then((m) => m.approve),
    trust: () => import('./trust.ts').then((m) => m.trust),
    login: () => import('./login.ts').then((m) => m.login),
    serve: () => import('./serve.ts').then((m) => m.serve),
    logout: () => import('./logout.ts').then((m) => m.logout),
  },
}
