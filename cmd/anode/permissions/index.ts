// `anode permissions`: lists rules, explains a decision, suggests rules, and removes stored answers.
import type { VerbGroup } from '../verb.ts'

export const permissions: VerbGroup = {
  name: 'permissions',
  summary: 'List rules, explain the decision on any call, propose rules, forget an "always" answer',
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    explain: () => import('./explain.ts').then((m) => m.explain),
    suggest: () => import('./suggest.ts').then((m) => m.suggest),
    forget: () => import('./forget.ts').then((m) => m.forget),
  },
}
