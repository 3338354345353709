// Plans as data: parsing, and merging, limiting and numbering of their parts.

import * as z from 'zod/mini'
import { once } from '../../base/once.ts'
import { countNoun, groupDigits } from '../../base/text/count-noun.ts'
import { splitQuestion } from '../../text-analysis/facets.ts'
import { extractTerms, termSimilarity } from '../../text-analysis/terms.ts'
import { type StudyPlan, type StudySource, type StudyTask, sourceKinds } from '../log/entries.ts'

const text = z.string().check(z.minLength(1), z.maxLength(4000))
const names = z.array(z.string().check(z.minLength(1)))

const fields = {
  id: z.optional(z.string().check(z.regex(/^[A-Za-z][\w-]{0,31}$/))),
  objective: text,
  terms: z.optional(names),
  sources: z.optional(z.array(z.enum(sourceKinds)).check(z.minLength(1))),
  boundaries: z.optional(z.string()),
  output: z.optional(z.string()),
  stop: z.optional(z.string()),
  dependsOn: z.optional(names),
  kind: z.optional(z.enum(['work', 'verify'])),
}

/** Largest number of tasks in a plan. A plan with more tasks is invalid. */
export const maxTasks = 1000

const tooMany = ({ input }: { input: unknown }) =>
  `has ${countNoun((input as unknown[]).length, 'task')}; at most ${groupDigits(maxTasks)} are possible`
const outline = {
  tasks: z.array(z.object(fields)).check(z.minLength(1), z.maxLength(maxTasks, { error: tooMany })),
}

/** Schema for plans of a model, which ignores unknown keys. */
const loose = z.object(outline)

/** Schema for plans in a file, in the form that `--plan-only` prints. Unknown keys are errors. */
const strict = z.strictObject({
  tasks: z.array(z.strictObject(fields)).check(z.minLength(1), z.maxLength(maxTasks, { error: tooMany })),
  of: z.optional(z.string()),
  notSplit: z.optional(z.string()),
  dropped: z.optional(z.array(z.unknown())),
  notices: z.optional(z.array(z.string())),
})

/** A task that has no number yet. */
type PlanPart = Omit<z.output<typeof loose>['tasks'][number], 'kind'>

type OutlineResult = { ok: true; parts: PlanPart[] } | { ok: false; errors: string[] }

/**
 * Parses a plan and returns its parts, or the errors in it: a wrong form, a repeated id, a dependency that is
 * unknown or part of a cycle, or a source that the study lacks.
 */
export function readOutline(
  value: unknown,
  allowed: readonly StudySource[],
  from: 'model' | 'file',
): OutlineResult {
  const read = (from === 'file' ? strict : loose).safeParse(value)
  if (!read.success) {
    return {
      ok: false,
      errors: read.error.issues.map((issue) => `${jsonPath(issue.path)}: ${describeIssue(issue)}`),
    }
  }
  const parts: PlanPart[] = read.data.tasks.map(({ kind: _, ...part }, i) => ({
    ...part,
    id: part.id ?? `t${i + 1}`,
  }))
  const errors = findErrors(parts, allowed)
  return errors.length > 0 ? { ok: false, errors } : { ok: true, parts: parts }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `unknown field ${issue.keys.join(', ')}`
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : issue.message
}

const jsonPath = (path: readonly PropertyKey[]) =>
  path.reduce<string>((at, key) => (typeof key === 'number' ? `${at}[${key}]` : `${at}.${String(key)}`), '$')

function findErrors(parts: readonly PlanPart[], allowed: readonly StudySource[]): string[] {
  const ids = parts.map(({ id }) => id)
  const out: string[] = []
  for (const [i, { id, sources: taskSources = [], dependsOn = [] }] of parts.entries()) {
    if (ids.indexOf(id) < i) out.push(`$.tasks[${i}].id: ${id} is there twice`)
    for (const need of dependsOn) {
      if (!ids.includes(need)) out.push(`$.tasks[${i}].dependsOn: unknown task ${need}`)
    }
    for (const source of taskSources) {
      if (!allowed.includes(source)) out.push(`$.tasks[${i}].sources: ${source} is not among --sources`)
    }
  }
  const cycle = cycleIn(parts)
  return cycle ? [...out, cycle.join(' -> ')] : out
}

function cycleIn(parts: readonly PlanPart[]): string[] | undefined {
  const needs = new Map(parts.map(({ id, dependsOn = [] }) => [id as string, dependsOn]))
  const done = new Set<string>()
  const visit = (id: string, way: string[]): string[] | undefined => {
    if (way.includes(id)) return [...way.slice(way.indexOf(id)), id]
    if (done.has(id)) return undefined
    for (const need of needs.get(id) ?? []) {
      const cycle = visit(need, [...way, id])
      if (cycle) return cycle
    }
    done.add(id)
    return undefined
  }
  for (const id of needs.keys()) {
    const cycle = visit(id, [])
    if (cycle) return cycle
  }
  return undefined
}

export interface PlanRequest {
  question: string
  /**
   * Maximum number of tasks in a plan that a model or rules make. Further parts get no task and are
   * listed as dropped.
   */
  workers: number
  sources: readonly StudySource[]
}

/** Returns the plan of a user with all its tasks, which can be more than there are workers. */
export function planAsWritten(parts: readonly PlanPart[], request: PlanRequest): StudyPlan {
  return numberParts(parts, { ...request, workers: parts.length }, [])
}

/**
 * Returns the plan for the parts: merges parts that overlap, and drops parts above the limit `workers`. If
 * the work cannot be divided, one task gets the whole question.
 */
export function arrangeParts(parts: readonly PlanPart[], request: PlanRequest): StudyPlan {
  const { merged, dropped } = mergeParts(parts)
  const why = findUnsplitReason(merged, request)
  return why === undefined ? numberParts(merged, request, dropped) : planSingleTask(request, why)
}

/** Returns a plan with one task for the whole question. */
export function planSingleTask(request: PlanRequest, why: string): StudyPlan {
  const { question } = request
  return {
    ...numberParts([{ objective: question, terms: extractTerms(question) }], request, []),
    notSplit: why,
  }
}

/** Matches words that refer to the previous part of a question. "After a crash" does not. */
const linked = once(
  () =>
    new RegExp(
      [
        /^(?:and\s+)?then\b/,
        /\bafterwards?\b/,
        /\bafter (?:that|this|it|which|doing so)\b/,
        /\bbased on (?:that|this|these|those|it|them|which|the (?:answers?|results?|findings?))\b/,
      ]
        .map(({ source }) => source)
        .join('|'),
      'i',
    ),
)

/**
 * Converts the parts into which rules have split a question to parts of a plan. A part with words such as
 * "after that" depends on the part before it.
 */
export function chainParts(parts: readonly Omit<PlanPart, 'id' | 'dependsOn'>[]): PlanPart[] {
  return parts.map((part, i) => {
    const id = `t${i + 1}`
    return i > 0 && linked().test(part.objective) ? { ...part, id, dependsOn: [`t${i}`] } : { ...part, id }
  })
}

/** Reason for one task that users need not see, because there was nothing to split. */
export const singlePartReason = 'the question has one part'

/** Returns the reason why a question has only one task. It differs for a question with several parts. */
export const describeParts = (question: string): string =>
  splitQuestion(question).length > 1 ? 'one task covers all parts' : singlePartReason

/** Returns the reason for using one worker only, or undefined if the work can be divided. */
function findUnsplitReason(
  parts: readonly PlanPart[],
  { workers, question }: PlanRequest,
): string | undefined {
  if (workers === 1) return '--workers is 1'
  if (parts.length < 2) return describeParts(question)
  const chain = measureChain(parts)
  if (chain > 1 && chain * 2 > parts.length) {
    return `${chain} of ${parts.length} parts need the one before, so they are one piece of work`
  }
  return undefined
}

/** Returns the number of parts in the longest chain of dependencies. */
function measureChain(parts: readonly PlanPart[]): number {
  const needs = new Map(parts.map(({ id, dependsOn = [] }) => [id as string, dependsOn]))
  const depth = (id: string): number => 1 + Math.max(0, ...(needs.get(id) ?? []).map(depth))
  return Math.max(0, ...[...needs.keys()].map(depth))
}

function mergeParts(parts: readonly PlanPart[]): {
  merged: PlanPart[]
  dropped: { part: PlanPart; into: string }[]
} {
  const merged: PlanPart[] = []
  const dropped: { part: PlanPart; into: string }[] = []
  for (const part of parts) {
    const partTerms = part.terms ?? extractTerms(part.objective)
    const at = merged.findIndex(
      (other) => termSimilarity(other.terms ?? extractTerms(other.objective), partTerms) > 0.6,
    )
    const like = merged[at]
    if (!like) {
      merged.push(part)
      continue
    }
    merged[at] = {
      ...like,
      objective: like.objective === part.objective ? like.objective : `${like.objective}; ${part.objective}`,
      terms: [...new Set([...(like.terms ?? extractTerms(like.objective)), ...partTerms])],
    }
    dropped.push({ part, into: like.id as string })
  }
  const into = new Map(dropped.map(({ part, into }) => [part.id, into]))
  const follow = (id: string): string => into.get(id) ?? id
  return {
    merged: merged.map((part) => {
      const needs = part.dependsOn?.map(follow).filter((need) => need !== part.id)
      return needs ? { ...part, dependsOn: needs } : part
    }),
    dropped,
  }
}

/**
 * Largest number of other tasks that the description of a task names, because each worker reads
 * all these names.
 */
const maxOthers = 40

/**
 * Gives the first `workers` tasks their numbers in order, lists the other parts and the merged ones as
 * dropped, and fills in default values.
 */
function numberParts(
  parts: readonly PlanPart[],
  request: PlanRequest,
  merged: readonly { part: PlanPart; into: string }[],
): StudyPlan {
  const keptParts = parts.slice(0, request.workers)
  const byOld = new Map(keptParts.map(({ id }, i) => [id, `t${i + 1}`]))
  const tasks = keptParts.map((part, i): StudyTask => {
    const id = `t${i + 1}`
    const needs = (part.dependsOn ?? [])
      .flatMap((need) => byOld.get(need) ?? [])
      .filter((need) => need !== id)
    const others = keptParts.filter((other) => other !== part).map(({ objective }) => objective)
    const listed = others.slice(0, maxOthers).join('; ')
    return {
      id,
      kind: 'work',
      objective: part.objective,
      terms: part.terms && part.terms.length > 0 ? part.terms : extractTerms(part.objective),
      sources: part.sources ?? request.sources,
      boundaries: part.boundaries ?? (others.length > 0 ? `others cover: ${listed}` : ''),
      output: part.output ?? 'claims with evidence and quotes, and gaps',
      stop: part.stop ?? 'every part of the objective has a claim, or two looks in a row bring nothing new',
      dependsOn: [...new Set(needs)],
    }
  })
  const excessParts = parts
    .slice(request.workers)
    .map(({ objective }) => ({ objective, reason: 'cap' as const }))
  const joined = merged.map(({ part, into }) => ({
    objective: part.objective,
    reason: 'merged' as const,
    into: byOld.has(into) ? (byOld.get(into) as string) : undefined,
  }))
  return { tasks, dropped: [...joined, ...excessParts], notices: [] }
}
