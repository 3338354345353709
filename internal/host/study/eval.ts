// Runs questions whose answers are known, each with several workers and with one, and scores both.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBuiltin } from '../../base/builtin.ts'
import type { Line } from '../../store/journal/journal.ts'
import { type Score, score, total } from '../../study/exam/score.ts'
import { type Case, readSuite } from '../../study/exam/suite.ts'
import { documentOf } from '../../study/report/document.ts'
import type { Entry } from '../../study/study.ts'
import { type StudyRequest, startStudy } from './study.ts'

export interface ExamOptions {
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

export interface Examined {
  suite: string
  questions: { id: string; question: string; study: Score; single: Score }[]
  study: Score
  single: Score
  /** Wall time of both sides in each repetition, in ms. */
  wall_ms: { study: number[]; single: number[] }
  /** Whether every repetition gave the same scores. */
  stable: boolean
}

/** The suite in the manual, which lies beside the sources, and beside `dist` where the program is installed. */
export function ownSuite(): string {
  const { dir } = findBuiltin('manual')
  const places = [dir, join(dir, '..', '..', 'manual')].map((at) =>
    join(at, 'examples', 'study', 'suite.jsonl'),
  )
  return places.find((file) => existsSync(file)) ?? (places[0] as string)
}

/** Everything happens in a data directory of its own that is removed at the end. Throws UserError for a bad suite. */
export async function examine(options: ExamOptions): Promise<Examined> {
  const suite = options.suite ?? ownSuite()
  const cases = readSuite(suite)
  const data = await mkdtemp(join(tmpdir(), 'anode-eval-'))
  const at = { ...options, env: { ...options.env, ANODE_DATA_DIR: data } }
  try {
    const rounds: Examined['questions'][] = []
    for (let n = 1; n <= options.repeat; n++) rounds.push(await round(cases, n, at))
    return sum(suite, rounds)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

async function round(
  cases: readonly Case[],
  n: number,
  options: ExamOptions,
): Promise<Examined['questions']> {
  const out: Examined['questions'] = []
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

async function ask({ question, root, known }: Case, baseline: boolean, options: ExamOptions): Promise<Score> {
  const { cwd, env, signal, program, model, workers, budget, deadlineMs, inProcess } = options
  const calls: Extract<Entry, { kind: 'step' }>['data']['reply']['calls'][number][] = []
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
      show: (line: Line) => {
        const entry = line as unknown as Entry
        if (entry.kind === 'step') calls.push(...entry.data.reply.calls)
      },
      note: () => undefined,
    },
  )
  return score(documentOf(state), calls, known)
}

function sum(suite: string, rounds: readonly Examined['questions'][]): Examined {
  const totals = rounds.map((questions) => ({
    study: total(questions.map(({ study }) => study)),
    single: total(questions.map(({ single }) => single)),
  }))
  const [questions] = rounds as [Examined['questions']]
  const [{ study, single }] = totals as [{ study: Score; single: Score }]
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
