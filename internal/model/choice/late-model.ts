// A model of a server whose limits are not known yet: it has a name at once, and requests wait
// for the limits.
import { messageOf } from '../../base/errors.ts'
import type { Model, ModelEvent, ModelRequest } from '../model.ts'

export interface LateModel extends Model {
  /**
   * Resolves once window and prices are those that the server has reported, or once the model could not be
   * opened. Never rejects.
   */
  readonly opened: Promise<void>
}

/**
 * Creates the model. `guess` is valid until the server has reported more. If the model cannot be opened,
 * each request fails.
 */
export function createLateModel(guess: { id: string; window: number }, opening: Promise<Model>): LateModel {
  let loadedModel: Model | undefined
  let problem: unknown
  const opened = opening.then(
    (model) => {
      loadedModel = model
    },
    (error: unknown) => {
      problem = error
    },
  )
  return {
    id: guess.id,
    kind: 'llm',
    opened,
    get note() {
      return loadedModel?.note as string
    },
    get window() {
      return loadedModel?.window ?? guess.window
    },
    get takesDocuments() {
      return loadedModel?.takesDocuments === true
    },
    get rates() {
      return loadedModel?.rates as NonNullable<Model['rates']>
    },
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
      await opened
      if (loadedModel) yield* loadedModel.stream(request, signal)
      else yield { type: 'failure', failure: { kind: 'internal', message: messageOf(problem) } }
    },
  }
}

export const isLateModel = (model: Model): model is LateModel => 'opened' in model
