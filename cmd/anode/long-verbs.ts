// Commands that several other commands run too, such as the jobs of cron. Each is loaded when it runs.
import type { LoadVerb } from './verb.ts'

export const loadStudy: LoadVerb = async () => (await import('./study/start.ts')).start
export const loadReview: LoadVerb = async () => (await import('./review/index.ts')).review
export const loadAuto: LoadVerb = async () => (await import('./research/auto.ts')).auto
