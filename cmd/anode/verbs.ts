// The table of all commands by their first word. The module of a command is imported only when it is needed.
import { loadReview } from './long-verbs.ts'
import { tools } from './tools/index.ts'
import type { VerbOrGroup } from './verb.ts'

const loadInstalled = async () => (await import('./installed-verbs.ts')).installedVerbs
const loadKeys = async () => (await import('./key-verbs.ts')).keyVerbs

export const verbs: Readonly<Record<string, () => Promise<VerbOrGroup>>> = {
  execute: () => import('./execute/index.ts').then((m) => m.execute),
  runs: () => import('./runs/index.ts').then((m) => m.runs),
  attach: () => import('./runs/attach.ts').then((m) => m.attach),
  serve: () => import('./serve/index.ts').then((m) => m.serve),
  acp: () => import('./acp/index.ts').then((m) => m.acp),
  prove: () => import('./prove.ts').then((m) => m.prove),
  review: loadReview,
  worker: () => import('./worker/index.ts').then((m) => m.worker),
  build: () => import('./build/index.ts').then((m) => m.build),
  study: () => import('./study/index.ts').then((m) => m.study),
  tools: async () => tools,
  render: () => import('./render.ts').then((m) => m.render),
  profiles: async () => (await loadInstalled()).profiles,
  skills: async () => (await loadInstalled()).skills,
  permissions: () => import('./permissions/index.ts').then((m) => m.permissions),
  mcp: () => import('./mcp/index.ts').then((m) => m.mcp),
  hooks: () => import('./hooks/index.ts').then((m) => m.hooks),
  plugins: () => import('./plugins/index.ts').then((m) => m.plugins),
  trust: () => import('./trust.ts').then((m) => m.trust),
  research: () => import('./research/index.ts').then((m) => m.research),
  cron: () => import('./cron/index.ts').then((m) => m.cron),
  threads: () => import('./threads/index.ts').then((m) => m.threads),
  undo: () => import('./undo.ts').then((m) => m.undo),
  harness: () => import('./harness/index.ts').then((m) => m.harness),
  usage: () => import('./usage/index.ts').then((m) => m.usage),
  models: () => import('./models/index.ts').then((m) => m.models),
  login: async () => (await loadKeys()).login,
  logout: async () => (await loadKeys()).logout,
  config: () => import('./config/index.ts').then((m) => m.config),
  lsp: () => import('./lsp/index.ts').then((m) => m.lsp),
  doctor: () => import('./doctor.ts').then((m) => m.doctor),
  manual: () => import('./manual.ts').then((m) => m.manual),
  completion: () => import('./completion/index.ts').then((m) => m.completion),
}

/** Other names of verbs, each with the verb. */
export const aliases: Readonly<Record<string, string>> = {
  exec: 'execute',
  run: 'execute',
  '-x': 'execute',
}
