// Verifies a study again, from its evidence and the files as they are now, and asks a judge when one is wanted.
import { UserError } from '../../base/errors.ts'
import { filesBelow } from '../../study/check/files.ts'
import { judge, type Opinion } from '../../study/check/judge.ts'
import { type Verification, verify } from '../../study/check/verify.ts'
import type { StudyState } from '../../study/state.ts'
import { openGround } from '../ground.ts'

export interface Checked extends Verification {
  opinions: Opinion[]
  /** The model that was asked; undefined when none was. */
  judge: string | undefined
}

export interface CheckOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Claims that a model grades. */
  judge: number
  model?: string
}

/** Throws UserError when the judge is no language model. */
export async function checkStudy(state: StudyState, options: CheckOptions): Promise<Checked> {
  const verified = await verify(state, filesBelow(state.head.root))
  if (options.judge === 0) return { ...verified, opinions: [], judge: undefined }
  const { cwd, env, signal } = options
  const ground = await openGround({ cwd, env, signal, mode: 'ask', addDirs: [], terminal: undefined })
  try {
    const model = await ground.model(options.model, () => undefined)
    if (model.kind === 'rules') {
      throw new UserError(`${model.id} cannot judge`, {
        hint: 'name a language model with --model provider/model',
      })
    }
    return { ...verified, opinions: await judge(state, model, options.judge, signal), judge: model.id }
  } finally {
    await ground.close()
  }
}
