// The verb `anode permissions`, whose commands list rules, explain a decision, suggest rules, list decisions
// of the reviewer, and remove stored answers.
import type { VerbGroup } from '../verb.ts'
import { forget } from './forget.ts'
import { list } from './list.ts'
import { log, suggest } from './suggest.ts'

export const permissions: VerbGroup = {
  name: 'permissions',
  summary: 'List rules, explain decisions, propose rules, list what a reviewer decided',
  verbs: {
    list,
    explain: () => import('./explain.ts').then((m) => m.explain),
    suggest,
    log,
    forget,
  },
}
