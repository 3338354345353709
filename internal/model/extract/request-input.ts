// What a study hands to builtin/extract beside the messages, by purpose. Everything is optional and checked.

import type { SynthesiseInput, SynthesisFinding } from '../../text-analysis/synthesis.ts'
import { extractTerms } from '../../text-analysis/terms.ts'

type Json = Record<string, unknown>
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const textAt = (value: unknown, key: string): string | undefined =>
  isJson(value) && typeof value[key] === 'string' ? value[key] : undefined
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

/** The question of purpose `plan`. */
export const planQuestion = (value: unknown): string | undefined => textAt(value, 'question')

/** What a study's task asks; undefined when the request is an ordinary run. */
export const workObjective = (value: unknown): string | undefined => textAt(value, 'objective')

/** Passages that answer a further question and are filed already, as the data of a search. */
export const filedPassages = (value: unknown): unknown => (isJson(value) ? value.filed : undefined)

/** Fewer words of its own leave a further question to the one before. */
const minOwnTerms = 2
const leadsOn = /^(?:and|but|what about|how about|und|aber|et|mais|y|pero)(?!\p{L})/iu

/**
 * What is searched for: the objective, and where it only adds to the question before, the words of that one
 * in brackets, which count less.
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
