// Runs questions whose answers are known, with several workers and with one, and scores both beside search.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { findBuiltin } from '../../base/builtin.ts'
import { dataDir } from '../../base/dirs.ts'
import { codeOf, UserError } from '../../base/errors.ts'
import { fileMessageOf } from '../../base/files/errno.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type { Model } from '../../model/model.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { type StudyEntry, toStudyEntry } from '../../study/log/entries.ts'
import { documentOf } from '../../study/report/document.ts'
import { type EvaluationEstimate, estimateEvaluation } from '../../study-eval/estimate.ts'
import { type EvalScore, scoreStudy } from '../../study-eval/score.ts'
import { type EvalCase, readSuite } from '../../study-eval/suite.ts'
import {
  type EvalSummary,
  type EvaluatedQuestion,
  summarizeQuestions,
  withoutSealed,
} from '../../study-eval/summary.ts'
import { withStudyRuntime } from '../study/request.ts'
import { type StudyRequest, startStudy } from '../study/run-study.ts'
import { pickStudyModel } from '../study/worker-environment.ts'
import { type PlacedCorpus, placeCorpora } from './evaluation-corpora.ts'
import { scoreBareModel, scoreParagraphs } from './evaluation-sides.ts'

export interface EvaluationOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** The program that worker processes run. */
  program: string
  /** `first`, `second`, or a file; absent: `first`. */
  suite?: string
  model?: string
  /** Folder, with a file for each question, or file of replies that are given instead of asking a model. */
  replay?: string
  /** Folder to which the replies of the model are written in that form. */
  record?: string
  workers: number
  repeat: number
  /** The same for both sides. */
  budget: StudyRequest['budget']
  deadlineMs: number
  /** Workers within this process rather than in processes of their own. */
  inProcess: boolean
  /** Shows single questions of the sealed half. */
  sealed: boolean
  /** Asked before the first request of a model that costs; false ends it. */
  confirm(estimate: EvaluationEstimate): Promise<boolean>
  /** One line after each question. */
  note(text: string): void
}

export interface StudyEvaluation extends EvalSummary {
  suite: string
  /** Those that were asked and may be shown, see `withoutSealed`. */
  questions: EvaluatedQuestion[]
  halves: { open?: EvalSummary; sealed?: EvalSummary }
  /** Corpora that could not be had, why, and how many questions are not asked for it. */
  skipped: { corpus: string; why: string; questions: number }[]
  /** Wall time of both sides in each repetition, in ms. */
  wall_ms: { study: number[]; single: number[] }
  /** Whether every repetition gave the same scores. */
  stable: boolean
}

const bundled: Readonly<Record<string, readonly string[]>> = {
  first: ['suite.jsonl'],
  second: ['second.jsonl', 'second-sealed.jsonl.gz'],
}

/**
 * The files of a suite of the manual, which lies beside the sources, and beside `dist` where the program is
 * installed.
 */
export function bundledSuite(name = 'first'): string[] {
  const { dir } = findBuiltin('manual')
  const places = [dir, join(dir, '..', '..', 'manual')].map((at) => join(at, 'examples', 'study'))
  const place = places.find((at) => existsSync(at)) ?? (places[0] as string)
  return (bundled[name] ?? []).map((file) => join(place, file))
}

/**
 * Everything but what is fetched happens in a data directory of its own that is removed at the end. Throws
 * UserError for a bad suite, a model that cannot be used, and where not a single corpus can be had.
 */
export async function evaluateStudies(options: EvaluationOptions): Promise<StudyEvaluation> {
  const { suite = 'first', cwd, env, signal, note } = options
  const files = suite in bundled ? bundledSuite(suite) : [resolve(cwd, suite)]
  const cases = files.flatMap(readSuite)
  if (options.record !== undefined) openRecordFolder(options.record, cwd)
  const temp = await mkdtemp(join(tmpdir(), 'anode-eval-'))
  try {
    return await withStudyRuntime({ cwd, env, note }, ['repo'], async (runtime) => {
      const { model, notice } = await pickStudyModel(runtime, modelSpec(options, cases[0]), cwd, env)
      if (notice !== undefined) note(notice)
      const {
        processes: { run },
      } = runtime.resources.can
      if (!run) throw new UserError('programs cannot be started here')
      const cache = join(dataDir(env), 'corpora')
      const fetching = { run, cache, from: dirname(files[0] as string), env, signal, note }
      const placed = await placeCorpora(
        cases.map(({ corpus }) => corpus),
        temp,
        fetching,
      )
      const asked = cases.flatMap((one): PlacedCase[] => {
        const at = placed.get(one.corpus.name)
        return at?.kind === 'placed' ? [{ ...one, root: at.root }] : []
      })
      const skipped = listSkipped(cases, placed)
      for (const { corpus, why, questions } of skipped)
        note(`${corpus}: ${why}; questions left out: ${questions}`)
      if (asked.length === 0)
        throw new UserError('no corpus of the suite can be had, so nothing was asked', { exit: 3 })
      await confirmCost(model, asked.length, options)
      const rounds: EvaluatedQuestion[][] = []
      const inside = { ...options, env: { ...env, ANODE_DATA_DIR: join(temp, 'data') } }
      for (let n = 1; n <= options.repeat; n++) rounds.push(await runRound(asked, n, model, inside))
      return { suite, ...sumRounds(rounds, options.sealed), skipped }
    })
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}

/** Makes it where it is missing: what cannot be written would look like a model that finds nothing. */
function openRecordFolder(name: string, cwd: string): void {
  const path = resolve(cwd, name)
  try {
    makeDirectory(path)
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const isFile = ['EEXIST', 'ENOTDIR'].includes(codeOf(cause) ?? '')
    throw new UserError(`--record ${name}: ${isFile ? 'it is no folder' : fileMessageOf(cause, name)}`, {
      hint: 'name a folder in which files may be written',
      cause,
    })
  }
}

type PlacedCase = EvalCase & { root: string }

function listSkipped(
  cases: readonly EvalCase[],
  placed: ReadonlyMap<string, PlacedCorpus>,
): StudyEvaluation['skipped'] {
  return [...placed].flatMap(([corpus, at]) =>
    at.kind === 'placed'
      ? []
      : [{ corpus, why: at.why, questions: cases.filter((one) => one.corpus.name === corpus).length }],
  )
}

/** Recordings have a file for each question: their replies are given in the order of the requests. */
function modelSpec({ cwd, model, replay, record }: EvaluationOptions, one?: EvalCase): string | undefined {
  if (replay !== undefined) {
    const path = resolve(cwd, replay)
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    return `replay:${isFolder && one ? join(path, `${one.id}.jsonl`) : path}`
  }
  if (record === undefined || one === undefined) return model
  if (model === undefined)
    throw new UserError('--record needs --model', { hint: 'name the model that is asked' })
  return `record:${join(resolve(cwd, record), `${one.id}.jsonl`)},${model}`
}

async function confirmCost(model: Model, questions: number, options: EvaluationOptions): Promise<void> {
  if (model.kind !== 'llm') return
  const { repeat, workers, budget } = options
  const estimate = estimateEvaluation({
    questions,
    repeat,
    workers,
    maxTokens: budget.tokens,
    rates: model.rates,
  })
  if (!(await options.confirm(estimate)))
    throw new UserError('nothing was asked', { hint: '--yes goes on without a question' })
}

async function runRound(
  cases: readonly PlacedCase[],
  n: number,
  model: Model,
  options: EvaluationOptions,
): Promise<EvaluatedQuestion[]> {
  const out: Omit<EvaluatedQuestion, 'paragraphs'>[] = []
  for (const [i, one] of cases.entries()) {
    options.signal.throwIfAborted()
    const study = await ask(one, false, options)
    const single = await ask(one, true, options)
    const bare = hasKnowledge(model, options) ? await askBare(one, model, options) : undefined
    const { id, question, half } = one
    out.push({ id, question, study, single, half, bare })
    const turn = options.repeat > 1 ? `${n}/${options.repeat} ` : ''
    const place = `${turn}${String(i + 1).padStart(2)}/${cases.length}`
    const found = `${id}: ${study.found} of ${study.facts} facts, one worker ${single.found}`
    options.note(`${place} ${half === 'sealed' && !options.sealed ? 'sealed' : found}`)
  }
  // the same length for every question, so that one for which a study found little is no easier to beat
  const answerable = out.filter(({ study }) => study.answerable > 0)
  const letters =
    answerable.reduce((sum, { study }) => sum + study.letters, 0) / Math.max(1, answerable.length)
  const scored: EvaluatedQuestion[] = []
  for (const [i, one] of out.entries()) {
    const at = cases[i] as PlacedCase
    scored.push({ ...one, paragraphs: await scoreParagraphs(at, at.root, Math.round(letters)) })
  }
  return scored
}

/** Rules know nothing by themselves, and written replies follow the order of the studies. */
const hasKnowledge = (model: Model, { replay }: EvaluationOptions) =>
  model.kind === 'llm' || replay !== undefined

async function askBare(one: PlacedCase, model: Model, options: EvaluationOptions) {
  const { cwd, env, signal, note, record, replay } = options
  if (record === undefined && replay === undefined) return scoreBareModel(one, model, signal)
  return withStudyRuntime({ cwd, env, note }, ['repo'], async (runtime) => {
    const own = await pickStudyModel(runtime, modelSpec(options, one), cwd, env)
    return scoreBareModel(one, own.model, signal)
  })
}

async function ask(one: PlacedCase, baseline: boolean, options: EvaluationOptions): Promise<EvalScore> {
  const { cwd, env, signal, program, workers, budget, deadlineMs, inProcess } = options
  const model = modelSpec(options, one)
  const calls: Extract<StudyEntry, { kind: 'step' }>['data']['reply']['calls'][number][] = []
  const state = await startStudy(
    {
      question: one.question,
      workers,
      sources: ['repo'],
      root: one.root,
      engine: 'embedded',
      inProcess,
      unsafe: false,
      workerWaitMs: 30_000,
      budget,
      deadlineMs,
      maxSteps: 20,
      baseline,
      minCitation: 0.95,
      seed: 1,
      model,
    },
    {
      cwd,
      env,
      signal,
      program,
      show: (line: JournalLine) => {
        const entry = toStudyEntry(line)
        if (entry.kind === 'step') calls.push(...entry.data.reply.calls)
      },
      note: () => undefined,
    },
  )
  const failed = [...state.tasks.values()].find(({ result }) => result?.end === 'failed')?.result
  const name = one.half === 'sealed' && !options.sealed ? 'sealed' : one.id
  if (failed) options.note(`${name}: ${[failed.reason, failed.detail].filter(Boolean).join(': ')}`)
  return scoreStudy(documentOf(state), calls, one)
}

function sumRounds(
  rounds: readonly EvaluatedQuestion[][],
  showsSealed: boolean,
): Omit<StudyEvaluation, 'suite' | 'skipped'> {
  const shown = rounds.map((questions) => (showsSealed ? questions : withoutSealed(questions)))
  const summaries = shown.map((questions) => summarizeQuestions(questions))
  const [questions] = shown as [EvaluatedQuestion[]]
  const [summary] = summaries as [EvalSummary]
  const halves: StudyEvaluation['halves'] = {}
  for (const half of ['open', 'sealed'] as const) {
    const own = questions.filter((one) => one.half === half)
    if (own.length > 0) halves[half] = summarizeQuestions(own)
  }
  const bare = (one: unknown) => JSON.stringify(one, (key, value) => (key === 'wall_ms' ? 0 : value))
  return {
    ...summary,
    questions: showsSealed ? questions : questions.filter(({ half }) => half !== 'sealed'),
    halves,
    wall_ms: {
      study: summaries.map((one) => one.study.wall_ms),
      single: summaries.map((one) => one.single.wall_ms),
    },
    stable: rounds.every((one) => bare(one) === bare(rounds[0])),
  }
}
