// Evaluation of studies: each question with a known answer runs with several workers and with one worker.
// Both results are compared with a plain search.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { dataDir, findBuiltin } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { hideSecrets } from '../../base/secrets.ts'
import type { Model } from '../../model/model.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { type StudyEntry, toStudyEntry } from '../../study/log/entries.ts'
import { documentOf } from '../../study/report/document.ts'
import { type EvaluationEstimate, estimateEvaluation } from '../../study-eval/estimate.ts'
import { type EvalScore, scoreStudy } from '../../study-eval/score.ts'
import { readStatedLines } from '../../study-eval/stated-lines.ts'
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
import { findCheckouts } from './evaluation-fetch.ts'
import { modelSpec, openRecordFolder } from './evaluation-recording.ts'
import { scoreBareModel, scoreParagraphs } from './evaluation-sides.ts'

export interface EvaluationOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Path of Anode's program file, which the worker processes execute. */
  program: string
  /** Name of a bundled suite, `first` or `second`, or the path of a suite file. Default: `first`. */
  suite?: string
  /** Directory with clones of the repositories of the suite. Default: they are fetched. */
  checkout?: string
  model?: string
  /** Directory with a file per question, or one file of responses, in place of the model. */
  replay?: string
  /** Directory for recorded responses in the same format. */
  record?: string
  workers: number
  repeat: number
  /** Limit of tokens or cost for each study, the same with several workers and with one. */
  budget: StudyRequest['budget']
  deadlineMs: number
  /** Whether workers run in this process instead of separate processes. */
  inProcess: boolean
  /**
   * Whether to show results of single questions in the sealed half of a suite. Otherwise only the totals of
   * that half are shown.
   */
  sealed: boolean
  /**
   * Called before the first paid request of a language model, with the estimated cost; false cancels the
   * evaluation. Not called for other models.
   */
  confirm(estimate: EvaluationEstimate): Promise<boolean>
  /** Called with one line after each question, and with notices. */
  note(text: string): void
}

export interface StudyEvaluation extends EvalSummary {
  suite: string
  /**
   * Scores of single questions in the first repetition. Those in the sealed half of the suite are left out
   * unless `sealed` is set.
   */
  questions: EvaluatedQuestion[]
  halves: { open?: EvalSummary; sealed?: EvalSummary }
  /** Unavailable corpora, with the reason and the number of questions that were skipped. */
  skipped: { corpus: string; why: string; questions: number }[]
  /** Duration in milliseconds of each repetition: `study` with several workers, `single` with one worker. */
  wall_ms: { study: number[]; single: number[] }
  /** Whether every repetition had the same results, apart from times. */
  stable: boolean
}

const bundled: Readonly<Record<string, readonly string[]>> = {
  first: ['suite.jsonl'],
  second: ['second.jsonl', 'second-sealed.jsonl.gz'],
}

/**
 * Returns the paths of a bundled suite; an empty list for an unknown name. Suites are in the manual, whose
 * directory is next to the sources or, when installed, next to `dist`.
 */
export function bundledSuite(name = 'first'): string[] {
  const { dir } = findBuiltin('manual')
  const places = [dir, join(dir, '..', '..', 'manual')].map((at) => join(at, 'examples', 'study'))
  const place = places.find((at) => existsSync(at)) ?? (places[0] as string)
  return (bundled[name] ?? []).map((file) => join(place, file))
}

/**
 * Runs the evaluation. Its studies are stored in a temporary data directory, which is removed at the end.
 * Downloads, and responses with `record`, are stored in other directories. Rejects with UserError for an
 * invalid suite, directory or model, if no corpus is available (exit 3), and if `confirm` returns false.
 */
export async function evaluateStudies(options: EvaluationOptions): Promise<StudyEvaluation> {
  const { suite = 'first', cwd, env, signal, note } = options
  const files = suite in bundled ? bundledSuite(suite) : [resolve(cwd, suite)]
  const cases = files.flatMap(readSuite)
  if (options.record !== undefined) openRecordFolder(options.record, cwd)
  const checkout = options.checkout === undefined ? undefined : findCheckouts(options.checkout, cwd)
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
      const fetching = { run, cache, checkout, from: dirname(files[0] as string), env, signal, note }
      const placed = await placeCorpora(
        cases.map(({ corpus }) => corpus),
        temp,
        fetching,
      )
      const placedCases = cases.flatMap((one): PlacedCase[] => {
        const at = placed.get(one.corpus.name)
        return at?.kind === 'placed' ? [{ ...readStatedLines(one, at.root), root: at.root }] : []
      })
      const skipped = listSkipped(cases, placed)
      for (const { corpus, why, questions } of skipped)
        note(`${corpus}: ${why}; questions left out: ${questions}`)
      if (placedCases.length === 0)
        throw new UserError('no corpus of the suite is available, so nothing was asked', {
          exit: 3,
          hint: adviseOnCorpora(cases, checkout),
        })
      await confirmCost(model, placedCases.length, options)
      const rounds: EvaluatedQuestion[][] = []
      const inside = { ...options, env: { ...env, ANODE_DATA_DIR: join(temp, 'data') } }
      for (let n = 1; n <= options.repeat; n++) rounds.push(await runRound(placedCases, n, model, inside))
      return { suite, ...sumRounds(rounds, options.sealed), skipped }
    })
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}

/** Returns the next step for a suite whose corpora are all missing. */
function adviseOnCorpora(cases: readonly EvalCase[], checkout: string | undefined): string {
  const sources = cases.flatMap(({ corpus }) => corpus.sources.map(({ source }) => source))
  const urls = [...new Set(sources.flatMap((one) => (one.kind === 'repository' ? [one.url] : [])))]
  if (urls.length === 0) return 'connect to the network, or correct the corpora of the suite'
  const clones = urls.map((url) => `git clone ${hideSecrets(url, '[secret]')}`).join(', ')
  return `run these in a directory: ${clones}; then add --checkout ${checkout ?? 'DIR'}`
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
    throw new UserError('nothing was asked', { hint: '--yes starts without asking' })
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
    const study = await askOne(one, false, options)
    const single = await askOne(one, true, options)
    const bare = hasKnowledge(model, options) ? await askBare(one, model, options) : undefined
    const { id, question, half } = one
    out.push({ id, question, study, single, half, bare })
    const turn = options.repeat > 1 ? `${n}/${options.repeat} ` : ''
    const place = `${turn}${String(i + 1).padStart(2)}/${cases.length}`
    const resultText = `${id}: ${study.found} of ${study.facts} facts, one worker ${single.found}`
    options.note(`${place} ${half === 'sealed' && !options.sealed ? 'sealed' : resultText}`)
  }
  // each search gets the average length of the studies, so that a study with few findings is not compared
  // with a shorter search
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

/**
 * Returns true if the model can answer without files: a language model or recorded responses. Rules and
 * scripted models cannot.
 */
const hasKnowledge = (model: Model, { replay }: EvaluationOptions) =>
  model.kind === 'llm' || replay !== undefined

async function askBare(one: PlacedCase, model: Model, options: EvaluationOptions) {
  const { cwd, env, signal, note, record, replay } = options
  if (record === undefined && replay === undefined) return scoreBareModel(one, model, signal)
  return withStudyRuntime({ cwd, env, note }, ['repo'], async (runtime) => {
    const modelChoice = await pickStudyModel(runtime, modelSpec(options, one), cwd, env)
    return scoreBareModel(one, modelChoice.model, signal)
  })
}

async function askOne(one: PlacedCase, baseline: boolean, options: EvaluationOptions): Promise<EvalScore> {
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
      minSupport: 0.8,
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
  const visibleRounds = rounds.map((questions) => (showsSealed ? questions : withoutSealed(questions)))
  const summaries = visibleRounds.map((questions) => summarizeQuestions(questions))
  const [questions] = visibleRounds as [EvaluatedQuestion[]]
  const [summary] = summaries as [EvalSummary]
  const halves: StudyEvaluation['halves'] = {}
  for (const half of ['open', 'sealed'] as const) {
    const halfQuestions = questions.filter((one) => one.half === half)
    if (halfQuestions.length > 0) halves[half] = summarizeQuestions(halfQuestions)
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
