// Runs questions whose answers are known, each with several workers and with one, and scores both.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBuiltin } from '../../base/builtin.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { type EvalScore, scoreStudy, sumScores } from '../../study/eval/score.ts'
import { type EvalCase, readSuite } from '../../study/eval/suite.ts'
import type { StudyEntry } from '../../study/log/entries.ts'
import { documentOf } from '../../study/report/document.ts'
import { type StudyRequest, startStudy } from './run-study.ts'

interface EvaluationOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** The program that worker processes run. */
  program: string
  /** Absent: the suite that comes with the program. */
  suite?: string
  model?: string
  workers: number
  repeat: number
  /** The same for both sides. */
  budget: StudyRequest['budget']
  deadlineMs: number
  /** Workers within this process rather than in processes of their own. */
  inProcess: boolean
  /** One line after each question. */
  note(text: string): void
}

export interface StudyEvaluation {
  suite: string
  questions: { id: string; question: string; study: EvalScore; single: EvalScore }[]
  study: EvalScore
  single: EvalScore
  /** Wall time of both sides in each repetition, in ms. */
  wall_ms: { study: number[]; single: number[] }
  /** Whether every repetition gave the same scores. */
  stable: boolean
}

/**
 * The suite in the manual, which lies beside the sources, and beside `dist` where the program is installed.
 */
export function bundledSuite(): string {
  const { dir } = findBuiltin('manual')
  const places = [dir, join(dir, '..', '..', 'manual')].map((at) =>
    join(at, 'examples', 'study', 'suite.jsonl'),
  )
  return places.find((file) => existsSync(file)) ?? (places[0] as string)
}

/**
 * Everything happens in a data directory of its own that is removed at the end. Throws UserError for a bad
 * suite.
 */
export async function evaluateStudies(options: EvaluationOptions): Promise<StudyEvaluation> {
  const suite = options.suite ?? bundledSuite()
  const cases = readSuite(suite)
  const data = await mkdtemp(join(tmpdir(), 'anode-eval-'))
  const at = { ...options, env: { ...options.env, ANODE_DATA_DIR: data } }
  try {
    const rounds: StudyEvaluation['questions'][] = []
    for (let n = 1; n <= options.repeat; n++) rounds.push(await runRound(cases, n, at))
    return sum(suite, rounds)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

async function runRound(
  cases: readonly EvalCase[],
  n: number,
  options: EvaluationOptions,
): Promise<StudyEvaluation['questions']> {
  const out: StudyEvaluation['questions'] = []
  for (const [i, one] of cases.entries()) {
    options.signal.throwIfAborted()
    const study = await ask(one, false, options)
    const single = await ask(one, true, options)
    out.push({ id: one.id, question: one.question, study, single })
    const turn = options.repeat > 1 ? `${n}/${options.repeat} ` : ''
    const found = `${study.found} of ${study.facts} facts, one worker ${single.found}`
    options.note(`${turn}${String(i + 1).padStart(2)}/${cases.length} ${one.id}: ${found}`)
  }
  return out
}

async function ask(
  { question, root, known }: EvalCase,
  baseline: boolean,
  options: EvaluationOptions,
): Promise<EvalScore> {
  const { cwd, env, signal, program, model, workers, budget, deadlineMs, inProcess } = options
  const calls: Extract<StudyEntry, { kind: 'step' }>['data']['reply']['calls'][number][] = []
  const state = await startStudy(
    {
      question,
      workers,
      sources: ['repo'],
      root,
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
      ...(model !== undefined && { model }),
    },
    {
      cwd,
      env,
      signal,
      program,
      show: (line: JournalLine) => {
        const entry = line as unknown as StudyEntry
        if (entry.kind === 'step') calls.push(...entry.data.reply.calls)
      },
      note: () => undefined,
    },
  )
  return scoreStudy(documentOf(state), calls, known)
}

function sum(suite: string, rounds: readonly StudyEvaluation['questions'][]): StudyEvaluation {
  const totals = rounds.map((questions) => ({
    study: sumScores(questions.map(({ study }) => study)),
    single: sumScores(questions.map(({ single }) => single)),
  }))
  const [questions] = rounds as [StudyEvaluation['questions']]
  const [{ study, single }] = totals as [{ study: EvalScore; single: EvalScore }]
  const bare = (one: (typeof totals)[number]) =>
    JSON.stringify(one, (key, value) => (key === 'wall_ms' ? 0 : value))
  return {
    suite,
    questions,
    study,
    single,
    wall_ms: {
      study: totals.map((one) => one.study.wall_ms),
      single: totals.map((one) => one.single.wall_ms),
    },
    stable: totals.every((one) => bare(one) === bare(totals[0] as typeof one)),
  }
}
