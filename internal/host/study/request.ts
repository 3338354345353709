// What a person asks for, checked against this machine before anything is stored.
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileMessageOf, UserError } from '../../base/errors.ts'
import { ulid } from '../../base/ids.ts'
import { terms } from '../../model/extract/terms.ts'
import type { Model } from '../../model/model.ts'
import type { Limits, Line } from '../../store/journal/journal.ts'
import { survey } from '../../study/plan/corpus.ts'
import type { Frame } from '../../study/plan/outline.ts'
import { type Made, planFromFile } from '../../study/plan/plan.ts'
import type { Head, Source } from '../../study/study.ts'
import { type Ground, openGround } from '../ground.ts'
import { modelOf, workerTools } from './seat.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Where workers run. */
export interface Crewing {
  /** `embedded`, or the address of a server with its password. */
  engine: string
  /** Embedded: workers are loops in this process. */
  inProcess: boolean
  /** A server that may lose what it was told is used all the same. */
  unsafe: boolean
  /** Server: workers on this machine; absent: as many as `workers`. */
  local?: number
  /** Server: how long the first worker is waited for. */
  workerWaitMs: number
}

export interface StudyRequest extends Crewing {
  question: string
  workers: number
  sources: readonly Source[]
  root?: string
  model?: string
  budget: Head['budget']
  /** Milliseconds from now. */
  deadlineMs: number
  maxSteps: number
  /** File of a plan. */
  plan?: string
  baseline: boolean
  minCitation: number
  seed: number
}

export interface StudyRun {
  cwd: string
  env: Env
  signal: AbortSignal
  /** The program that worker processes run. */
  program: string
  show(line: Line): void
  note(text: string): void
}

export interface Prepared {
  head: Head
  model: Model
  frequency: Record<string, number>
  plan?: Made
  frame: Frame
}

/** The ground of a study; calls end with the step that made them, not with the wish to end. */
export async function withGround<T>(
  { cwd, env, note }: Pick<StudyRun, 'cwd' | 'env' | 'note'>,
  sources: readonly Source[],
  use: (ground: Ground) => Promise<T>,
): Promise<T> {
  const { signal } = new AbortController()
  const base = { cwd, env, mode: 'ask', addDirs: [], terminal: undefined, signal } as const
  const ground = await openGround({ ...base, ...(!sources.includes('mcp') && { names: workerTools }) })
  try {
    for (const text of ground.notes) note(text)
    return await use(ground)
  } finally {
    await ground.close()
  }
}

/** `engine` as it may be stored and shown. Throws UserError: root, plan file, model, sources. */
export async function prepare(
  request: StudyRequest,
  engine: string,
  run: Pick<StudyRun, 'cwd' | 'env' | 'note' | 'signal'>,
  ground: Ground,
): Promise<Prepared> {
  const { question, sources, seed, maxSteps, minCitation, baseline, budget } = request
  const project = ground.around.workspace
  const root = rootOf(request.root, project)
  const workers = baseline ? 1 : request.workers
  const frame = { question, workers, sources }
  const plan = request.plan === undefined ? undefined : planFromFile(resolve(run.cwd, request.plan), frame)
  demandSources(sources, ground)
  const { model, notice } = await modelOf(ground, request.model, project, run.env)
  if (notice !== undefined) run.note(notice)
  const corpus = await surveyOf(root, question, ground, run)
  const created = Date.now()
  const head: Head = {
    id: ulid(),
    question,
    project,
    root,
    corpus: corpus.id,
    model: { name: model.id, kind: model.kind, ...(model.note !== undefined && { note: model.note }) },
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
  return { head, model, frequency: corpus.frequency, frame, ...(plan && { plan }) }
}

/** Throws UserError when there is nothing to read. */
export async function surveyOf(
  root: string,
  question: string,
  ground: Ground,
  { note, signal }: Pick<StudyRun, 'note' | 'signal'>,
) {
  const corpus = await survey(root, terms(question), ground.resources.can.run, signal)
  if (corpus.files === 0) {
    throw new UserError(`root has no readable files: ${root}`, { hint: 'name another one with --root' })
  }
  const { binary, large, links } = corpus.skipped
  const parts = [
    binary > 0 ? `${binary} binary` : '',
    large > 0 ? `${large} over 2 MiB` : '',
    links > 0 ? `${links} links out of the root` : '',
  ].filter((part) => part !== '')
  if (parts.length > 0) note(`skipped ${parts.join(', ')}`)
  return corpus
}

export const limitsOf = ({ tokens, usd }: Head['budget']): Limits => ({
  ...(tokens !== undefined && { tokens }),
  ...(usd !== undefined && { usd }),
})

const nameAnother = 'name a directory that exists'

function rootOf(asked: string | undefined, project: string): string {
  if (asked === undefined) return project
  try {
    const root = realpathSync(resolve(project, asked))
    if (statSync(root).isDirectory()) return root
  } catch (cause) {
    throw new UserError(`--root: ${fileMessageOf(cause, asked)}`, { hint: nameAnother, cause })
  }
  throw new UserError(`--root: ${asked} is not a directory`, { hint: nameAnother })
}

/** A source that has not been set up would give a report with a hole that nobody sees. */
function demandSources(sources: readonly Source[], ground: Ground): void {
  const { config } = ground.around.loaded
  if (sources.includes('web') && !hasWeb(config.web, ground.around.env)) {
    throw new UserError('the source web is not configured', {
      hint: 'set web.searxngUrl, web.exaKey or web.provider in the configuration, and web.enabled',
    })
  }
  const usable = ground.tools(undefined, ['mcp__*'], true).some(({ hidden }) => hidden === undefined)
  if (sources.includes('mcp') && !usable) {
    throw new UserError('the source mcp is not configured', { hint: 'no MCP server offers a tool here' })
  }
}

function hasWeb(web: Ground['around']['loaded']['config']['web'], env: Env): boolean {
  if (web?.enabled === false) return false
  return Boolean(web?.searxngUrl || web?.exaKey || web?.provider || env['EXA_API_KEY'])
}
