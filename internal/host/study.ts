// Runs studies: starts, resumes and cancels them, on the engine that was asked for.
import { realpathSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { answers } from '../base/alive.ts'
import { dataDir } from '../base/dirs.ts'
import { FailureError, messageOf, UserError } from '../base/errors.ts'
import { ulid } from '../base/ids.ts'
import { terms } from '../model/extract/terms.ts'
import type { Model } from '../model/model.ts'
import type { Limits, Line } from '../store/journal/journal.ts'
import type { LocalJournal } from '../store/journal/sqlite.ts'
import { coordinate } from '../study/coordinate.ts'
import { survey } from '../study/corpus.ts'
import { createCrew } from '../study/crew.ts'
import { embeddedEngine } from '../study/engine/embedded.ts'
import { filesBelow } from '../study/files.ts'
import type { Lead } from '../study/lead.ts'
import type { Frame } from '../study/outline.ts'
import { type Made, planFromFile } from '../study/plan.ts'
import type { StudyState } from '../study/state.ts'
import { entry, type Head, type Source } from '../study/study.ts'
import { work } from '../study/worker.ts'
import { type Ground, openGround } from './ground.ts'
import { beatMs, leadDesk, leaseMs, modelOf, ownerOf, type Seatings, seatOf } from './study-seat.ts'
import type { Order } from './study-work.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What a person asks for; validated before it comes here. */
export interface StudyRequest {
  question: string
  workers: number
  sources: readonly Source[]
  root?: string
  model?: string
  engine: string
  inProcess: boolean
  /** A Redis server that may lose what it was told is used all the same. */
  unsafe: boolean
  /** Redis: workers on this machine; absent: as many as `workers`. */
  local?: number
  /** Redis: how long the first worker is waited for. */
  workerWaitMs: number
  budget: Head['budget']
  /** Milliseconds from now. */
  deadlineMs: number
  maxSteps: number
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

/** Throws UserError before anything is stored: root, model, plan file, data directory. */
export async function startStudy(request: StudyRequest, run: StudyRun): Promise<StudyState> {
  return withGround(run, request.sources, async (ground) => {
    const prepared = await prepare(request, run, ground)
    const { head, limits } = prepared
    const { openJournal } = await import('../store/journal/sqlite.ts')
    const journal = await openJournal(dataDir(run.env))
    try {
      await stored(() => journal.create(head.id, entry('study', head), limits))
      return await lead({ ...prepared, journal, ground, run, inProcess: request.inProcess })
    } finally {
      await journal.close()
    }
  })
}

export async function withGround<T>(
  { cwd, env, note }: Pick<StudyRun, 'cwd' | 'env' | 'note'>,
  sources: readonly Source[],
  use: (ground: Ground) => Promise<T>,
): Promise<T> {
  const never = new AbortController().signal
  const { workerTools } = await import('./study-seat.ts')
  const base = { cwd, env, mode: 'ask', addDirs: [], terminal: undefined, signal: never } as const
  const ground = await openGround({ ...base, ...(!sources.includes('mcp') && { names: workerTools }) })
  try {
    for (const text of ground.notes) note(text)
    return await use(ground)
  } finally {
    await ground.close()
  }
}

export interface Prepared {
  head: Head
  limits: Limits
  model: Model
  frequency: Record<string, number>
  plan?: Made
  frame: Frame
}

export async function prepare(
  request: StudyRequest,
  run: Pick<StudyRun, 'cwd' | 'env' | 'note'>,
  ground: Ground,
): Promise<Prepared> {
  const { question, sources, seed, maxSteps, minCitation, baseline, budget, engine } = request
  const project = ground.around.workspace
  const root = rootOf(request.root, project)
  const workers = baseline ? 1 : request.workers
  const frame = { question, workers, sources }
  const plan = request.plan === undefined ? undefined : planFromFile(resolve(run.cwd, request.plan), frame)
  const picked = await modelOf(ground, request.model, project, run.env)
  if (picked.notice !== undefined) run.note(picked.notice)
  const { model } = picked
  const corpus = await survey(root, terms(question), ground.resources.can.run)
  if (corpus.files === 0)
    throw new UserError(`root has no readable files: ${root}`, { hint: 'name another one with --root' })
  const { binary, large, links } = corpus.skipped
  if (binary + large + links > 0)
    run.note(`skipped: ${binary} binary, ${large} over 2 MiB, ${links} links out of the root`)
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
  return { head, limits: limitsOf(budget), model, frequency: corpus.frequency, frame, ...(plan && { plan }) }
}

const limitsOf = ({ tokens, usd }: Head['budget']): Limits => ({
  ...(tokens !== undefined && { tokens }),
  ...(usd !== undefined && { usd }),
})

function rootOf(asked: string | undefined, project: string): string {
  if (asked === undefined) return project
  try {
    const root = realpathSync(resolve(project, asked))
    if (statSync(root).isDirectory()) return root
  } catch (cause) {
    throw new UserError(`root has no readable files: ${asked} (${messageOf(cause)})`, { cause })
  }
  throw new UserError(`root has no readable files: ${asked} is not a directory`)
}

interface Parts extends Omit<Prepared, 'frame' | 'limits'> {
  journal: LocalJournal
  ground: Ground
  run: StudyRun
  inProcess: boolean
}

/** Leads the study to its end with workers on this machine. */
async function lead(parts: Parts): Promise<StudyState> {
  const { journal, ground, run, head, model } = parts
  const owner = ownerOf(process.pid)
  await freeDead(journal, head.id)
  const seatings: Seatings = { ground, journal, env: run.env }
  const engine = embeddedEngine(journal.db, { study: head.id, owner, log: run.note })
  const common = {
    journal,
    engine,
    study: head.id,
    owner,
    pid: process.pid,
    host: hostname(),
    leaseMs,
    beatMs,
    model,
    desk: (role, signal) => leadDesk(seatings, head, role, signal),
    frequency: parts.frequency,
    ...(parts.plan && { plan: parts.plan }),
    read: filesBelow(head.root),
    show: run.show,
  } satisfies Omit<Lead, 'tend'>
  if (parts.inProcess) {
    const seat = seatOf({ ...seatings, model })
    const idle = new AbortController()
    const working = engine.work(
      (job, stop) => work(job, seat, stop),
      head.workers,
      AbortSignal.any([run.signal, idle.signal]),
    )
    try {
      return await stored(() => coordinate({ ...common, tend: async () => undefined }, run.signal))
    } finally {
      idle.abort()
      await working
    }
  }
  const crew = createCrew({
    spawn: ground.resources.spawn,
    file: process.execPath,
    args: [run.program, '--study-worker'],
    cwd: head.project,
    env: given(run.env),
    order: { study: head.id, project: head.project, foreign: head.sources.includes('mcp') } satisfies Order,
    gone: async (pid) => {
      engine.free(ownerOf(pid))
      for (const lease of await journal.leases(head.id)) {
        if (lease.owner === ownerOf(pid)) await journal.release(head.id, lease.task, lease.owner, false)
      }
    },
    log: run.note,
  })
  const tend = async (state: StudyState) => {
    const todo = [...state.tasks.values()].filter(({ status }) => status === 'open' || status === 'leased')
    await crew.ensure(Math.min(head.workers, todo.length))
  }
  try {
    return await stored(() => coordinate({ ...common, tend }, run.signal))
  } finally {
    await crew.close(false)
  }
}

/** Ends the leases of processes of this machine that are no more: nobody needs to wait for their end. */
async function freeDead(journal: LocalJournal, study: string): Promise<void> {
  const prefix = `${hostname()}-`
  for (const { task, owner } of await journal.leases(study)) {
    const pid = owner.startsWith(prefix) ? Number(owner.slice(prefix.length)) : Number.NaN
    if (Number.isInteger(pid) && pid !== process.pid && !answers(pid))
      await journal.release(study, task, owner, false)
  }
}

/** Trouble with the disk or a lock is the person's to mend, and names the place. */
async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const { code, message, hint } = error.failure
    if (code !== 'io' && code !== 'busy') throw error
    throw new UserError(message, { exit: 1, cause: error, ...(hint !== undefined && { hint }) })
  }
}

const given = (env: Env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
