// Selection of the model with which a worker does the tasks of a study that another machine started.
import { basename } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { namesFileModel } from '../../base/text/file-model.ts'
import type { Model } from '../../model/model.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { StudyHead } from '../../study/log/entries.ts'
import { pickStudyModel } from './worker-environment.ts'

interface WorkerOptions {
  /** The model of the flag `--model`. */
  model?: string
  cwd: string
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Returns the model for a study that another machine started. The study may name a model of a provider. A
 * local model file is opened only if `--model` names it here. Throws UserError if this worker does not
 * have the model.
 */
export async function pickRemoteModel(
  head: StudyHead,
  runtime: Runtime,
  { model: workerModel, cwd, env }: WorkerOptions,
): Promise<Model> {
  const { name } = head.model
  if (workerModel === undefined && namesFileModel(name)) {
    throw new UserError(`the study's model ${name} is a file`, {
      hint: 'Give the worker its own with --model.',
    })
  }
  const { model } = await pickStudyModel(runtime, workerModel ?? name, cwd, env, workerModel === undefined)
  if (isSameModel(model.id, name)) return model
  throw new UserError(`the study uses ${name}, this worker ${model.id}`)
}

const filed = /^(script|replay|record):([^,]*)(.*)$/s

/**
 * Returns true if two model names are equal. Files of models have different paths on other machines, so only
 * the file names count.
 */
function isSameModel(a: string, b: string): boolean {
  const bare = (name: string) =>
    name.replace(filed, (_, kind: string, file: string, rest: string) => `${kind}:${basename(file)}${rest}`)
  return bare(a) === bare(b)
}
