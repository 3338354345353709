// The model of an evaluation: a named model, a model whose responses are recorded, or recorded responses in
// place of a model.
import { accessSync, constants } from 'node:fs'
import { join, resolve } from 'node:path'
import { codeOf, UserError } from '../../base/errors.ts'
import { fileMessageOf } from '../../base/files/errno.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isDirectory } from '../../base/files/path-lookup.ts'
import type { EvalCase } from '../../study-eval/suite.ts'

interface ModelOptions {
  cwd: string
  model?: string
  /** Directory with a file per question, or one file of responses, in place of the model. */
  replay?: string
  /** Directory for recorded responses in the same format. */
  record?: string
}

/** Creates the directory if it is missing. Throws UserError if it is not a writable directory. */
export function openRecordFolder(name: string, cwd: string): void {
  const path = resolve(cwd, name)
  try {
    makeDirectory(path)
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const isFile = ['EEXIST', 'ENOTDIR'].includes(codeOf(cause) ?? '')
    throw new UserError(
      `--record ${name}: ${isFile ? 'it is not a directory' : fileMessageOf(cause, name)}`,
      {
        hint: 'use a writable directory',
        cause,
      },
    )
  }
}

/**
 * Returns the model for the question `one` in the form of `--model`: `replay:FILE`, `record:FILE,MODEL`,
 * or the named model; undefined without any of them. In a directory, each question has its file, with
 * the responses in order of the requests. Without `one`, `record` is ignored. Throws UserError for
 * `record` without `model`.
 */
export function modelSpec({ cwd, model, replay, record }: ModelOptions, one?: EvalCase): string | undefined {
  if (replay !== undefined) {
    const path = resolve(cwd, replay)
    return `replay:${one && isDirectory(path) ? join(path, `${one.id}.jsonl`) : path}`
  }
  if (record === undefined || one === undefined) return model
  if (model === undefined)
    throw new UserError('--record needs --model', { hint: 'name the model that is asked' })
  return `record:${join(resolve(cwd, record), `${one.id}.jsonl`)},${model}`
}
