// Making of a plan: from a file, by the model, or by rules if the model gives no valid plan.

import { messageOf, UserError } from '../../base/errors.ts'
import { readSmall } from '../../base/files/open-file.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { isObject } from '../../base/untrusted-json.ts'
import { cutFacets, splitQuestion } from '../../text-analysis/facets.ts'
import { findJsonObject } from '../../text-analysis/json-object.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import type { StudyEntries } from '../log/entries.ts'
import {
  arrangeParts,
  chainParts,
  describeParts,
  maxTasks,
  type PlanRequest,
  planAsWritten,
  planSingleTask,
  readOutline,
} from './outline.ts'

export type PlanResult = StudyEntries['plan']

/**
 * Asks the model for a plan; with `note`, asks once more and without tools. `failed` is the reason for a
 * missing answer. `quiet`: the user gets no notice about it.
 */
export type AskPlanner = (note?: string) => Promise<{ text: string } | { failed: string; quiet: boolean }>

/**
 * Input of planning in addition to the question. `frequency`: number of files in which each term of
 * the question occurs.
 */
interface PlanningInput {
  frequency: Readonly<Record<string, number>>
  /** Asks a model for a plan. Undefined if the budget is zero; the plan is then made by rules. */
  ask: AskPlanner | undefined
  /** Whether rules work on the tasks. They search for the whole question at once. */
  isByRules: boolean
}

/**
 * Reads a plan from a file. Throws UserError if it is missing, unreadable, over 1 MiB or not JSON, and with
 * the positions of the first five errors in it.
 */
export function planFromFile(file: string, request: PlanRequest): PlanResult {
  const text = readSmall(file)
  if (text === undefined)
    throw new UserError(`plan file not found: ${file}`, {
      hint: 'save the output of `anode study "…" --plan-only` as a plan file',
    })
  const hint = 'anode study "…" --plan-only prints a plan to start from'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${file} is not JSON: ${messageOf(cause)}`, { hint, cause })
  }
  const read = readOutline(value, request.sources, 'file')
  if (!read.ok) {
    const isTooLong = isObject(value) && Array.isArray(value['tasks']) && value['tasks'].length > maxTasks
    const nearest = `nearest: ${countNoun(maxTasks, 'task')}; move the others to a second plan`
    const errors = read.errors.slice(0, 5).join('; ')
    throw new UserError(`${file}: ${errors}`, { hint: isTooLong ? nearest : hint })
  }
  return { ...planAsWritten(read.parts, request), of: 'file' }
}

/**
 * Makes a plan. Rules make it without a request if rules also do the tasks, for one worker, for a short
 * question with one part, and without `ask`. An invalid plan of the model is requested once more; rules make
 * the plan if that one is invalid too, or if an answer is missing.
 */
export async function planStudy(
  request: PlanRequest,
  { frequency, ask, isByRules }: PlanningInput,
): Promise<PlanResult> {
  const { question, workers } = request
  // With rules, the report must not depend on the number of workers, so the plan always has one task.
  if (isByRules) return { ...planSingleTask(request, describeParts(question)), of: 'rules' }
  const pieces = splitQuestion(question)
  // The parts are counted before `workers` is used, so that a question with one part gets the same plan for
  // any number of workers.
  if (pieces.length < 2 && (workers === 1 || extractTerms(question).length < 4)) {
    return { ...planSingleTask(request, describeParts(question)), of: 'rules' }
  }
  if (workers === 1) return { ...planSingleTask(request, '--workers is 1'), of: 'rules' }
  const byRule = () => arrangeParts(chainParts(cutFacets(question, workers, { frequency })), request)
  if (!ask) return { ...byRule(), of: 'rules' }
  let errors: string[] = []
  for (const attempt of [1, 2]) {
    const note =
      attempt === 1
        ? undefined
        : `The plan is invalid: ${errors.join('; ')}. Reply with the corrected JSON object alone.`
    const reply = await ask(note)
    if ('failed' in reply) {
      const plan = byRule()
      const notices = reply.quiet ? plan.notices : [`plan_fallback: ${reply.failed}`]
      return { ...plan, of: 'rules', notices }
    }
    const read = readOutline(findJsonObject(reply.text), request.sources, 'model')
    if (read.ok) return { ...arrangeParts(linkedParts(read.parts), request), of: 'model' }
    errors = read.errors.slice(0, 5)
  }
  return { ...byRule(), of: 'rules', notices: [`plan_fallback: ${errors.join('; ')}`] }
}

/**
 * Adds dependencies on earlier parts to which the words of a part refer, as `chainParts` does, and missing
 * terms. The parts get new ids. Returns the parts unchanged if any part already has dependencies, boundaries
 * or a stop condition.
 */
function linkedParts(parts: Parameters<typeof arrangeParts>[0]) {
  const isBare = parts.every(({ dependsOn, boundaries, stop }) => !dependsOn && !boundaries && !stop)
  if (!isBare) return parts
  return chainParts(parts.map((part) => ({ ...part, terms: part.terms ?? extractTerms(part.objective) })))
}
