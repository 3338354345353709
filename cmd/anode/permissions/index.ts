// The verb `anode permissions`, whose commands list rules, explain a decision, suggest rules, list decisions
// of the reviewer, and remove stored answers.
import type { VerbGroup } from '../verb.ts'

const fromRecords = () => import('./suggest.ts')

export const permissions: VerbGroup = {
  name: 'permissions',
  summary: 'List rules, explain decisions, propose rules, list what a reviewer decided',
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    explain: () => import('./explain.ts').then((m) => m.explain),
    suggest: () => fromRecords().then((m) => m.suggest),
    log: () => fromRecords().then((m) => m.log),
    forget: () => import('./forget.ts').then((m) => m.forget),
  },
}
