// Readers of the data that a study adds to a request for builtin/extract. Each field may be
// missing or invalid.

import type { SynthesiseInput, SynthesisFinding } from '../../text-analysis/synthesis.ts'
import { extractTerms } from '../../text-analysis/terms.ts'

type Json = Record<string, unknown>
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const textAt = (value: unknown, key: string): string | undefined =>
  isJson(value) && typeof value[key] === 'string' ? value[key] : undefined
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

/** Returns the question of a request with the purpose `plan`, from its input; undefined without one. */
export const planQuestion = (value: unknown): string | undefined => textAt(value, 'question')

/** Returns the question of a study's task; undefined for an ordinary run. */
export const workObjective = (value: unknown): string | undefined => textAt(value, 'objective')

/**
 * Returns the passages that the study has already stored as evidence for a follow-up question, in the format
 * of search results.
 */
export const filedPassages = (value: unknown): unknown => (isJson(value) ? value.filed : undefined)

/** Number of words below which a follow-up question needs the words of the previous question. */
const minOwnTerms = 2
const leadsOn = /^(?:and|but|what about|how about|und|aber|et|mais|y|pero)(?!\p{L})/iu

/**
 * Returns the text to search for: the objective. If the objective only continues the previous question,
 * `value.before`, the words of that question follow in brackets and count less.
 */
export function searchedWords(objective: string, value: unknown): string {
  const before = textAt(value, 'before')
  if (before === undefined) return objective
  const own = extractTerms(objective)
  if (own.length >= minOwnTerms && !leadsOn.test(objective.trim())) return objective
  const added = extractTerms(before).filter((term) => !own.includes(term))
  const bare = objective.replace(/[\s?？]+$/u, '')
  return added.length === 0 ? objective : `${bare} (also: ${added.join(' ')})?`
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
