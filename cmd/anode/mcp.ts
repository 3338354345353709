// `anode mcp`: the configured MCP servers, what they offer, and whether they are still what was approved.
import type { Group } from './verb.ts'

export const mcp: Group = {
  name: 'mcp',
  summary: 'List, add and remove MCP servers, show what they offer, approve changes, log in',
  verbs: {
    list: () => import('./mcp/list.ts').then((m) => m.list),
    add: () => import('./mcp/add.ts').then((m) => m.add),
    remove: () => import('./mcp/remove.ts').then((m) => m.remove),
    show: () => import('./mcp/show.ts').then((m) => m.show),
    tools: () => import('./mcp/tools.ts').then((m) => m.tools),
    approve: () => import('./mcp/approve.ts').then((m) => m.approve),
    trust: () => import('./mcp/trust.ts').then((m) => m.trust),
    login: () => import('./mcp/login.ts').then((m) => m.login),
    logout: () => import('./mcp/logout.ts').then((m) => m.logout),
  },
}
