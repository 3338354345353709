// What a study hands to builtin/extract beside the messages, by purpose. Everything is optional and checked.
import type { TermCorpus } from '../../text-analysis/facets.ts'
import type { SynthesiseInput, SynthesisFinding } from '../../text-analysis/synthesis.ts'

/** `meta.input` of purpose `plan`. */
interface PlanInput {
  question: string
  workers: number
  /** Without it the model asks grep, if it may. */
  corpus?: TermCorpus
}

/** `meta.input` of purposes `work` and `verify`. */
interface WorkInput {
  objective: string
  /** Absent: the terms of the objective. */
  terms?: readonly string[]
}

type Json = Record<string, unknown>
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const textAt = (value: unknown, key: string): string | undefined =>
  isJson(value) && typeof value[key] === 'string' ? value[key] : undefined
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

export function planInput(value: unknown, question: string): PlanInput {
  const input: PlanInput = { question: textAt(value, 'question') ?? question, workers: 3 }
  if (!isJson(value)) return input
  if (typeof value.workers === 'number' && value.workers >= 1) input.workers = Math.floor(value.workers)
  if (isJson(value.corpus) && isJson(value.corpus.frequency)) {
    const counts = Object.entries(value.corpus.frequency).filter(([, count]) => typeof count === 'number')
    input.corpus = { frequency: Object.fromEntries(counts) as Record<string, number> }
  }
  return input
}

/** Undefined when the request is no study's task but an ordinary run. */
export function workInput(value: unknown): WorkInput | undefined {
  const objective = textAt(value, 'objective')
  if (objective === undefined) return undefined
  const terms = isJson(value) ? texts(value.terms) : []
  return terms.length > 0 ? { objective, terms } : { objective }
}

export function synthesiseInput(value: unknown): SynthesiseInput {
  const list = (key: string) => (isJson(value) && Array.isArray(value[key]) ? value[key] : []).filter(isJson)
  const tasks = list('tasks').map((task) => ({
    id: textAt(task, 'id') ?? '',
    objective: textAt(task, 'objective') ?? '',
    gaps: texts(task.gaps),
  }))
  const claims = list('claims').flatMap((claim): SynthesisFinding[] => {
    const id = textAt(claim, 'id')
    const quote = textAt(claim, 'quote') ?? ''
    const text = textAt(claim, 'text') ?? quote
    if (id === undefined || text === '') return []
    const finding: SynthesisFinding = { id, text, quote, task: textAt(claim, 'task') ?? '' }
    if (typeof claim.verified === 'boolean') finding.verified = claim.verified
    return [finding]
  })
  return { question: textAt(value, 'question') ?? '', tasks, claims }
}
