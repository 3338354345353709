// Second verification of a study from its evidence and the current files, with an optional judge model.

import { UserError } from '../../base/errors.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import { viewRound } from '../../study/log/round.ts'
import type { StudyState } from '../../study/log/state.ts'
import { type TableVerification, verifyTable } from '../../study/table/verify-table.ts'
import { type ClaimOpinion, judgeClaims } from '../../study/verify/llm-judge.ts'
import { fileReaderBelow } from '../../study/verify/source-reader.ts'
import { type ClaimVerification, verifyClaims } from '../../study/verify/verification.ts'
import { features } from '../features/index.ts'

export interface JudgedVerification extends ClaimVerification {
  opinions: ClaimOpinion[]
  /** The judge model; undefined without a judge. */
  judge: string | undefined
}

interface StudyCheckOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Largest number of claims that the judge model grades; 0 means that no judge model is used. */
  judge: number
  model?: string
}

/** Verifies the study. Throws UserError if claims are to be judged and the judge is not a language model. */
export async function checkStudy(state: StudyState, options: StudyCheckOptions): Promise<JudgedVerification> {
  // `state.claims` contains equal claims of two questions only once, so the claims are read by question
  const claims = new Map(state.rounds.flatMap((_, n) => [...viewRound(state, n).claims]))
  const verified = await verifyClaims({ ...state, claims }, fileReaderBelow(state.head.root))
  if (options.judge === 0) return { ...verified, opinions: [], judge: undefined }
  const { cwd, env, signal } = options
  const runtime = await openRuntime({
    cwd,
    env,
    signal,
    features,
    mode: 'ask',
    addDirs: [],
    terminal: undefined,
  })
  try {
    const model = await runtime.model(options.model, () => undefined, true)
    if (model.kind === 'rules') {
      throw new UserError(`${model.id} cannot judge`, {
        hint: 'name a language model with --model provider/model',
      })
    }
    return { ...verified, opinions: await judgeClaims(state, model, options.judge, signal), judge: model.id }
  } finally {
    await runtime.close()
  }
}

/** Verifies the cells of a table as `checkStudy` verifies claims, but without a judge model. */
export const checkTable = (state: StudyState, signal: AbortSignal): Promise<TableVerification> =>
  verifyTable(state, signal)
