// The plan of a build: its tasks, read from YAML or JSON. An error names the line of the first mistake.
import { isMap, isSeq, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { UserError } from '../base/errors.ts'
import { findNearest } from '../base/text/name-suggestion.ts'
import { globFault } from '../policy/rules/rule-match.ts'

/** One task. It has either `do`, for an agent, or `run`, a command. */
export interface BuildTask {
  id: string
  do?: string
  run?: string
  /** Globs of files that the task may change. */
  scope: readonly string[]
  /** Checks of the task. Empty: the checks of the plan. */
  until: readonly string[]
  /** Tasks that are merged before this task starts. */
  after: readonly string[]
  /** Globs of tests that the task may change. */
  allow: readonly string[]
  worker?: string
}

export interface BuildPlan {
  goal: string
  /**
   * Checks of each commit before the branch moves to it, and of the branch at the end. A commit must also
   * pass the checks of its task; without checks here, the branch must pass those of all tasks.
   */
  until: readonly string[]
  /** Globs of files that every task may change. */
  shared: readonly string[]
  tasks: readonly BuildTask[]
}

/**
 * A plan with the line of each task, by id, of each of its keys, as `id:key`, and of the plan's
 * keys, as `:key`.
 */
export interface ReadPlan {
  plan: BuildPlan
  lines: ReadonlyMap<string, number>
}

export const maxTasks = 64

const planKeys = ['goal', 'until', 'shared', 'tasks']
const taskKeys = ['id', 'do', 'run', 'scope', 'until', 'after', 'allow', 'worker']

/** Name of a plan file and the lines of its nodes, for errors that name a line. */
class PlanSource {
  readonly #file: string
  readonly #lines: LineCounter

  constructor(file: string, lines: LineCounter) {
    this.#file = file
    this.#lines = lines
  }

  lineOf(node: { range?: Node['range'] } | null | undefined): number {
    return node?.range ? this.#lines.linePos(node.range[0]).line : 1
  }

  fail(line: number, message: string, hint?: string): UserError {
    return planError(this.#file, line, message, hint)
  }
}

/** Returns the error for one line of a plan. */
export const planError = (file: string, line: number, message: string, hint?: string): UserError =>
  new UserError(`${file}:${line}: ${message}`, { hint })

/**
 * Reads a plan. `file` is its name in errors. Throws UserError with line and reason for invalid YAML and for
 * an invalid plan, such as one with more than 64 tasks, a task without scope, or a cycle.
 */
export async function readBuildPlan(text: string, file: string): Promise<ReadPlan> {
  const counter = new LineCounter()
  const source = new PlanSource(file, counter)
  const document = parseDocument(text, { lineCounter: counter, logLevel: 'error', prettyErrors: false })
  const [fault] = document.errors
  if (fault) throw source.fail(counter.linePos(fault.pos[0]).line, `invalid YAML: ${fault.message}`)
  if (!isMap(document.contents))
    throw source.fail(1, 'a plan is a list of keys', 'write goal: and tasks: as in `anode manual build`')
  const top = readPairs(document.contents, planKeys, source)
  const list = top.get('tasks')
  if (!list || !isSeq(list.value) || list.value.items.length === 0)
    throw source.fail(list ? source.lineOf(list.key as Node) : 1, 'the plan has no tasks')
  if (list.value.items.length > maxTasks)
    throw source.fail(source.lineOf(list.key as Node), `a plan has at most ${maxTasks} tasks`)
  const lines = new Map([...top].map(([key, pair]) => [`:${key}`, source.lineOf(pair.key as Node)] as const))
  const tasks = list.value.items.map((item) => {
    const line = source.lineOf(item as Node)
    if (!isMap(item)) throw source.fail(line, 'a task is a list of keys', 'write `- id: NAME`')
    return readTask(item, { line, source, lines })
  })
  const plan: BuildPlan = {
    goal: readText(top.get('goal'), source) ?? '',
    until: readTexts(top.get('until'), source),
    shared: readTexts(top.get('shared'), source, true),
    tasks,
  }
  checkOrder(plan, lines, source)
  return { plan, lines }
}

type TaskPair = Pair<unknown, unknown>

/** Returns the pairs of a mapping by key. Throws UserError for an unknown key. */
function readPairs(map: YAMLMap, keys: readonly string[], source: PlanSource): Map<string, TaskPair> {
  const pairs = new Map<string, TaskPair>()
  for (const pair of map.items) {
    const key = String((pair.key as { value?: unknown } | null)?.value ?? '')
    if (!keys.includes(key)) {
      const near = findNearest(key, keys, 1)[0]
      const hint = near === undefined ? `the keys are ${keys.join(', ')}` : `did you mean ${near}?`
      throw source.fail(source.lineOf(pair.key as Node), `unknown key "${key}"`, hint)
    }
    pairs.set(key, pair)
  }
  return pairs
}

interface TaskPlace {
  line: number
  source: PlanSource
  lines: Map<string, number>
}

function readTask(map: YAMLMap, { line, source, lines }: TaskPlace): BuildTask {
  const pairs = readPairs(map, taskKeys, source)
  const id = readText(pairs.get('id'), source)
  if (id === undefined) throw source.fail(line, 'a task has no id')
  if (!/^[A-Za-z0-9][\w.-]{0,39}$/.test(id) || id.endsWith('.lock') || id.includes('..'))
    throw source.fail(line, `invalid id "${id}"`, 'use at most 40 letters, digits, hyphens and dots')
  if (lines.has(id)) throw source.fail(line, `task "${id}" is in the plan twice`)
  lines.set(id, line)
  for (const [key, pair] of pairs) lines.set(`${id}:${key}`, source.lineOf(pair.key as Node))
  const work = { do: readText(pairs.get('do'), source), run: readText(pairs.get('run'), source) }
  if ((work.do === undefined) === (work.run === undefined))
    throw source.fail(line, `task "${id}" needs either do or run`, 'do: is for an agent, run: is a command')
  const scope = readTexts(pairs.get('scope'), source, true)
  if (scope.length === 0)
    throw source.fail(line, `task "${id}" has no scope`, 'list the files that it may change: scope: [src/**]')
  return {
    id,
    ...work,
    scope,
    until: readTexts(pairs.get('until'), source),
    after: readTexts(pairs.get('after'), source),
    allow: readTexts(pairs.get('allow'), source, true),
    worker: readText(pairs.get('worker'), source),
  }
}

function readText(pair: TaskPair | undefined, source: PlanSource): string | undefined {
  if (!pair) return undefined
  const { value } = (pair.value ?? {}) as { value?: unknown }
  const isText = typeof value === 'string' || typeof value === 'number'
  if (isText && String(value).trim() !== '') return String(value).trim()
  throw source.fail(source.lineOf(pair.key as Node), `${nameOf(pair)} is not a text`)
}

/**
 * Returns a list of texts, empty without `pair`. One text counts as a list. Throws UserError for an empty
 * text, for a value that is not a text, and for an invalid path pattern if `areGlobs`.
 */
function readTexts(pair: TaskPair | undefined, source: PlanSource, areGlobs = false): string[] {
  if (!pair) return []
  const line = source.lineOf(pair.key as Node)
  const { items } = (pair.value ?? {}) as { items?: readonly unknown[] }
  const nodes = items ?? [pair.value]
  return nodes.map((node) => {
    const { value } = (node ?? {}) as { value?: unknown }
    if (typeof value !== 'string' || value.trim() === '')
      throw source.fail(line, `${nameOf(pair)} is not a list of texts`)
    const fault = areGlobs ? pathFault(value) : undefined
    if (fault !== undefined) throw source.fail(source.lineOf(node as Node), fault)
    return value.trim()
  })
}

function pathFault(glob: string): string | undefined {
  if (glob.startsWith('/')) return `"${glob}" is not a path below the top of the repository`
  return globFault(glob)
}

const nameOf = (pair: TaskPair) => String((pair.key as { value?: unknown } | null)?.value ?? 'a key')

/** Throws UserError for an unknown id in `after` and for a cycle. */
function checkOrder({ tasks }: BuildPlan, lines: ReadonlyMap<string, number>, source: PlanSource): void {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  for (const { id, after } of tasks)
    for (const name of after)
      if (!byId.has(name))
        throw source.fail(lines.get(`${id}:after`) ?? 1, `task "${id}" is after an unknown task "${name}"`)
  const open = new Map(byId)
  for (let before = open.size + 1; open.size < before; ) {
    before = open.size
    for (const [id, { after }] of open) if (!after.some((name) => open.has(name))) open.delete(id)
  }
  const [stuck] = [...open.keys()].filter((id) => reachesItself(id, open))
  if (stuck === undefined) return
  throw source.fail(lines.get(`${stuck}:after`) ?? 1, `task "${stuck}" is after itself in a cycle`)
}

function reachesItself(id: string, open: ReadonlyMap<string, BuildTask>): boolean {
  const pending = [...(open.get(id)?.after ?? [])]
  const visited = new Set<string>()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === id) return true
    if (visited.has(next)) continue
    visited.add(next)
    pending.push(...(open.get(next)?.after ?? []))
  }
  return false
}
