// `anode permissions`: the rules in force, why a call is decided as it is, and taking answers back.
import type { Group } from './verb.ts'

export const permissions: Group = {
  name: 'permissions',
  summary: 'List rules, explain the decision on any call, forget an "always" answer',
  verbs: {
    list: () => import('./permissions/list.ts').then((m) => m.list),
    explain: () => import('./permissions/explain.ts').then((m) => m.explain),
    forget: () => import('./permissions/forget.ts').then((m) => m.forget),
  },
}
