// What a person asks for, checked against this machine before anything is stored.

import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
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
import type { SkippedSource, StudyHead, StudySource } from '../../study/log/entries.ts'
import { surveyCorpus } from '../../study/plan/corpus.ts'
import type { PlanRequest } from '../../study/plan/outline.ts'
import { type PlanResult, planFromFile } from '../../study/plan/plan.ts'
import { describeSkippedDocuments, describeUnread } from '../../study/plan/skipped-documents.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import { refuseOwnDirectory } from '../../trust/own-directory.ts'
import { features } from '../features/index.ts'
import type { ApproveCost } from './cost-estimate.ts'
import { pickStudyModel, workerToolNames } from './worker-environment.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Where workers run. */
export interface WorkerPlacement {
  /** `embedded`, or the address of a server with its password. */
  engine: string
  /** Embedded: workers are loops in this process. */
  inProcess: boolean
  /** A server that may lose what it was given is used all the same. */
  unsafe: boolean
  /** Server: workers on this machine; absent: as many as `workers`. */
  local?: number
  /** Server: how long the first worker is waited for. */
  workerWaitMs: number
}

export interface StudyRequest extends WorkerPlacement {
  question: string
  workers: number
  sources: readonly StudySource[]
  root?: string
  model?: string
  /** Another model of the list may take over; absent: the first alone is asked. */
  allowModelSwitch?: boolean
  budget: StudyHead['budget']
  /** Milliseconds from now. */
  deadlineMs: number
  maxSteps: number
  /** File of a plan. */
  plan?: string
  baseline: boolean
  minCitation: number
  seed: number
  /** Called with what a study with a language model is likely to cost; rejects where nobody agrees to it. */
  approveCost?: ApproveCost
}

export interface StudyRun {
  cwd: string
  env: Env
  signal: AbortSignal
  /** The program that worker processes run. */
  program: string
  /** The next entry of the log, from the first on; `isKnown`: it was there before this run. */
  show(line: JournalLine, isKnown?: boolean): void
  note(text: string): void
  /** While the files are looked at, before there is a study: how many of them so far, of how many. */
  showReading?(seen: number, all: number): void
}

export interface PreparedStudy {
  head: StudyHead
  model: Model
  frequency: Record<string, number>
  plan?: PlanResult
  frame: PlanRequest
}

/** The runtime of a study; calls end with the step that made them, not with the wish to end. */
export async function withStudyRuntime<T>(
  { cwd, env, note }: Pick<StudyRun, 'cwd' | 'env' | 'note'>,
  sources: readonly StudySource[],
  use: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const { signal } = new AbortController()
  const place = { cwd, env, mode: 'ask', addDirs: [], terminal: undefined, signal, features } as const
  // a study only reads, and no tool of a server that the workspace brings is a read
  const base = { ...place, isWorkspaceLater: true }
  const runtime = await openRuntime({ ...base, names: sources.includes('mcp') ? undefined : workerToolNames })
  try {
    for (const text of runtime.notes) note(text)
    return await use(runtime)
  } finally {
    await runtime.close()
  }
}

/** `engine` as it may be stored and shown. Throws UserError: root, plan file, model, sources. */
export async function prepareStudy(
  request: StudyRequest,
  engine: string,
  run: Pick<StudyRun, 'cwd' | 'env' | 'note' | 'signal' | 'showReading'>,
  runtime: Runtime,
): Promise<PreparedStudy> {
  const { question, sources, seed, maxSteps, minCitation, baseline, budget } = request
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
    baseline,
    deadline: created + request.deadlineMs,
    budget,
    created,
  }
  return { head, model, frequency: corpus.frequency, frame, plan }
}

/** Paths of skipped files that are kept with a study; of more there is only the number. */
const maxSkipped = 1000
/** Files with a note that are kept with a study, and that the screen names. */
const maxNoted = 20
const maxNotedShown = 5

/** Throws UserError when there is nothing to read, of a study that reads files. */
export async function surveySources(
  { root, question, sources, model }: Pick<StudyHead, 'root' | 'question' | 'sources' | 'model'>,
  runtime: Runtime,
  { note, signal, showReading }: Pick<StudyRun, 'note' | 'signal' | 'showReading'>,
) {
  const options = { signal, show: showReading }
  // rules make one task of any question: they need not know how rare its words are
  const terms = model.kind === 'rules' ? [] : extractTerms(question)
  const corpus = await surveyCorpus(root, terms, runtime.resources.can.processes.run, options)
  if (corpus.files === 0 && sources.includes('repo')) {
    throw new UserError(`root has no readable files: ${root}${describeUnread(corpus.skipped)}`, {
      hint: 'name another one with --root',
    })
  }
  const { lines, others } = describeSkippedDocuments(corpus.skipped)
  for (const line of lines) note(line)
  if (others.length > 0) note(describeSkipped(others))
  for (const { path, why } of corpus.noted.slice(0, maxNotedShown)) note(`${path}: ${why}`)
  const cut = describeSearchLimit(corpus)
  if (cut !== undefined) note(cut)
  return corpus
}

/** `skipped 3 files: 2 binary, 1 over 2 MiB; the report names them`; one reason needs no number. */
function describeSkipped(skipped: readonly SkippedSource[]): string {
  const counts = new Map<string, number>()
  for (const { why } of skipped) counts.set(why, (counts.get(why) ?? 0) + 1)
  const parts = [...counts].map(([why, count]) => (counts.size === 1 ? why : `${count} ${why}`))
  const files = countNoun(skipped.length, 'file')
  return `skipped ${files}: ${parts.join(', ')}; the report names ${skipped.length === 1 ? 'it' : 'them'}`
}

export const budgetLimits = ({ tokens, usd }: StudyHead['budget']): BudgetLimits => ({ tokens, usd })

const nameAnother = 'name a directory that exists'

function rootOf(asked: string | undefined, project: string, env: Env): string {
  if (asked === undefined) return project
  try {
    const root = realpathSync(resolve(project, asked))
    refuseOwnDirectory(root, env, '--root: ')
    if (statSync(root).isDirectory()) return root
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw new UserError(`--root: ${fileMessageOf(cause, asked)}`, { hint: nameAnother, cause })
  }
  throw new UserError(`--root: ${asked} is not a directory`, { hint: nameAnother })
}

/** A source that has not been set up would give a report with a hole that nobody sees. */
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

function hasWeb(web: Runtime['context']['loaded']['config']['web'], env: Env): boolean {
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
