// The request for a study, with the sources that it names, checked against this machine before
// anything is stored.
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { fileMessageOf } from '../../base/files/errno.ts'
import { createUlid } from '../../base/ids.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import type { Model } from '../../model/model.ts'
import { isRead } from '../../policy/level.ts'
import { describeSearchLimit } from '../../retrieval/limits/search-limit.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { BudgetLimits, JournalLine } from '../../store/journal/journal.ts'
import { type StudyHead, type StudySource, sourceKinds } from '../../study/log/entries.ts'
import type { SkippedSource, StudyLimits } from '../../study/log/study-conditions.ts'
import { surveyCorpus } from '../../study/plan/corpus.ts'
import type { PlanRequest } from '../../study/plan/outline.ts'
import { type PlanResult, planFromFile } from '../../study/plan/plan.ts'
import {
  adviseUnread,
  describeSkippedDocuments,
  describeUnread,
  drawSourceMap,
} from '../../study/plan/source-map.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import { refuseOwnDirectory } from '../../trust/is-trusted.ts'
import { features } from '../features/index.ts'
import type { ApproveCost } from './cost-estimate.ts'
import { pickStudyModel, workerToolNames } from './worker-environment.ts'

/** Where the workers run. */
export interface WorkerPlacement {
  /** `embedded`, or the URL of a server with its password. */
  engine: string
  /** Whether workers are loops in this process. It applies to the embedded engine. */
  inProcess: boolean
  /** Whether to use a server that may lose data. */
  unsafe: boolean
  /** Number of workers on this machine for a study on a server. Default: `workers`. */
  local?: number
  /** Milliseconds to wait for the first worker of a server. */
  workerWaitMs: number
}

export interface StudyRequest extends WorkerPlacement {
  question: string
  workers: number
  sources: readonly StudySource[]
  root?: string
  model?: string
  /**
   * Whether further models of a list in `model` may replace the first one. Default: only the first
   * model is used.
   */
  allowModelSwitch?: boolean
  budget: StudyLimits['budget']
  /** Time limit of the study in milliseconds, from its creation on. */
  deadlineMs: number
  maxSteps: number
  /** Path of a file with a plan. */
  plan?: string
  baseline: boolean
  minCitation: number
  minSupport: number
  seed: number
  /**
   * Called with the estimated cost of a study with a language model, and of each study of a table. Rejects if
   * the cost is not approved.
   */
  approveCost?: ApproveCost
}

export interface StudyRun {
  cwd: string
  env: EnvironmentVariables
  signal: AbortSignal
  /** Path of Anode's program file, which the worker processes execute. */
  program: string
  /**
   * Called with each entry of the study's log, in order. `isKnown`: an earlier run of this study
   * wrote the entry.
   */
  show(line: JournalLine, isKnown?: boolean): void
  note(text: string): void
  /** Called while the files are read, before the study exists: number of files so far, and in total. */
  showReading?(seen: number, all: number): void
}

export interface PreparedStudy {
  head: StudyHead
  model: Model
  frequency: Record<string, number>
  /** An overview of the source files for the model that plans the study. */
  map: string
  plan?: PlanResult
  frame: PlanRequest
}

/** Runs `use` with the runtime of a study. Its calls end with their step, not with the request to end. */
export async function withStudyRuntime<T>(
  { cwd, env, note }: Pick<StudyRun, 'cwd' | 'env' | 'note'>,
  sources: readonly StudySource[],
  use: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const { signal } = new AbortController()
  const place = { cwd, env, mode: 'ask', addDirs: [], terminal: undefined, signal, features } as const
  // A study only reads, and tools of a workspace's MCP servers do not count as reads, so nothing waits
  // for the start of these servers.
  const base = { ...place, isWorkspaceLater: true }
  const runtime = await openRuntime({ ...base, names: sources.includes('mcp') ? undefined : workerToolNames })
  try {
    for (const text of runtime.notes) note(text)
    return await use(runtime)
  } finally {
    await runtime.close()
  }
}

/**
 * Checks a request and reads its sources. Returns the data of the new study. `engine` is the URL without a
 * password, which may be stored and shown. Throws UserError for an invalid root, plan file, model or source.
 */
export async function prepareStudy(
  request: StudyRequest,
  engine: string,
  run: Pick<StudyRun, 'cwd' | 'env' | 'note' | 'signal' | 'showReading'>,
  runtime: Runtime,
): Promise<PreparedStudy> {
  const { question, sources, seed, maxSteps, minCitation, minSupport, baseline, budget } = request
  const project = runtime.context.workspace
  const root = rootOf(request.root, project, run.env)
  const workers = baseline ? 1 : request.workers
  const frame = { question, workers, sources }
  const plan = request.plan === undefined ? undefined : planFromFile(resolve(run.cwd, request.plan), frame)
  demandSources(sources, runtime)
  const { model, notice } = await pickStudyModel(
    runtime,
    request.model,
    project,
    run.env,
    request.allowModelSwitch === true,
  )
  if (notice !== undefined) run.note(notice)
  const at = Date.now()
  const corpus = await surveySources(
    { root, question, sources, model: { name: model.id, kind: model.kind } },
    runtime,
    run,
  )
  const created = Date.now()
  const head: StudyHead = {
    id: createUlid(),
    question,
    project,
    root,
    corpus: corpus.id,
    read: { files: corpus.files, bytes: corpus.bytes },
    surveyed: { at, names: corpus.names },
    skipped: corpus.skipped.length > 0 ? corpus.skipped.slice(0, maxSkipped) : undefined,
    skippedMore: corpus.skipped.length > maxSkipped ? corpus.skipped.length - maxSkipped : undefined,
    noted: corpus.noted.length > 0 ? corpus.noted.slice(0, maxNoted) : undefined,
    model: { name: model.id, kind: model.kind, note: model.note },
    engine,
    workers,
    sources,
    seed,
    maxSteps,
    minCitation,
    minSupport,
    baseline,
    deadline: created + request.deadlineMs,
    budget,
    created,
  }
  return { head, model, frequency: corpus.frequency, map: drawCorpusMap(corpus), frame, plan }
}

/** Returns an overview of the files of a corpus for the model that plans the study. */
export const drawCorpusMap = ({ lines }: { lines: readonly string[] }): string =>
  drawSourceMap(lines.map((line) => line.slice(line.indexOf(' ') + 1)))

/** Maximum number of skipped paths that are stored; further paths are only counted. */
const maxSkipped = 1000
/** Maximum number of files with a note that are stored; the screen shows at most `maxNotedShown` of them. */
const maxNoted = 20
const maxNotedShown = 5

/**
 * Reads the sources and returns the corpus. Notes skipped files. Throws UserError if a study of files finds
 * no file to read.
 */
export async function surveySources(
  { root, question, sources, model }: Pick<StudyHead, 'root' | 'question' | 'sources' | 'model'>,
  runtime: Runtime,
  { note, signal, showReading }: Pick<StudyRun, 'note' | 'signal' | 'showReading'>,
) {
  const options = { signal, show: showReading }
  // rules make one task of any question, so they need no word frequencies
  const terms = model.kind === 'rules' ? [] : extractTerms(question)
  const corpus = await surveyCorpus(root, terms, runtime.resources.can.processes.run, options)
  if (corpus.files === 0 && sources.includes('repo')) {
    throw new UserError(`root has no readable files: ${root}${describeUnread(corpus.skipped)}`, {
      hint: adviseUnread(corpus.skipped),
    })
  }
  const { lines, others } = describeSkippedDocuments(corpus.skipped)
  for (const line of lines) note(line)
  if (others.length > 0) note(describeSkipped(others))
  for (const { path, why } of corpus.noted.slice(0, maxNotedShown)) note(`${path}: ${why}`)
  const limitText = describeSearchLimit(corpus)
  if (limitText !== undefined) note(limitText)
  return corpus
}

/**
 * Returns, for example, `skipped 3 files: 2 binary, 1 over 2 MiB; the report names them`. A single reason
 * has no number.
 */
function describeSkipped(skipped: readonly SkippedSource[]): string {
  const counts = new Map<string, number>()
  for (const { why } of skipped) counts.set(why, (counts.get(why) ?? 0) + 1)
  const parts = [...counts].map(([why, count]) => (counts.size === 1 ? why : `${count} ${why}`))
  const files = countNoun(skipped.length, 'file')
  return `skipped ${files}: ${parts.join(', ')}; the report names ${skipped.length === 1 ? 'it' : 'them'}`
}

export const budgetLimits = ({ tokens, usd }: StudyLimits['budget']): BudgetLimits => ({ tokens, usd })

const nameAnother = 'name a directory that exists'

function rootOf(requestedRoot: string | undefined, project: string, env: EnvironmentVariables): string {
  if (requestedRoot === undefined) return project
  try {
    const root = realpathSync(resolve(project, requestedRoot))
    refuseOwnDirectory(root, env, '--root: ')
    if (statSync(root).isDirectory()) return root
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw new UserError(`--root: ${fileMessageOf(cause, requestedRoot)}`, { hint: nameAnother, cause })
  }
  throw new UserError(`--root: ${requestedRoot} is not a directory`, { hint: nameAnother })
}

/** Throws UserError for a source that is not configured, because the report would silently lack its part. */
function demandSources(sources: readonly StudySource[], runtime: Runtime): void {
  const { config } = runtime.context.loaded
  if (sources.includes('web') && !hasWeb(config.web, runtime.context.env)) {
    throw new UserError('the source web is not configured', {
      hint: 'set web.searxngUrl, web.exaKey, web.serperKey or web.provider, and web.enabled',
    })
  }
  const isUsable = ({ hidden, level }: ListedTool) => hidden === undefined && isRead(level)
  if (sources.includes('mcp') && !runtime.tools(undefined, ['mcp__*'], true).some(isUsable)) {
    throw new UserError('the source mcp is not configured', {
      hint: 'no MCP server offers a tool that only reads; see `anode tools list` for levels',
    })
  }
}

function hasWeb(web: Runtime['context']['loaded']['config']['web'], env: EnvironmentVariables): boolean {
  if (web?.enabled === false) return false
  return Boolean(
    web?.searxngUrl ||
      web?.exaKey ||
      web?.serperKey ||
      web?.provider ||
      env['EXA_API_KEY'] ||
      env['SERPER_KEY'],
  )
}

/**
 * Parses a list such as `repo,web`. Returns each source once in a fixed order. Throws UserError for
 * an unknown name.
 */
export function parseSourceNames(text: string): StudySource[] {
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (!(sourceKinds as readonly string[]).includes(name)) {
      throw new UserError(`--sources: unknown source "${name}"`, {
        hint: 'any of repo,web,mcp',
      })
    }
  }
  return sourceKinds.filter((source) => names.includes(source))
}
