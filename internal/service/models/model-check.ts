// Check of a model with one small real request, whose response shows which features work.
import type { Model, ModelFailure, ModelRequest, TokenUsage } from '../../model/model.ts'
import { noModel, pickModel } from '../../model/model-choice.ts'
import type { ProviderSettingsTable } from '../../model/provider-endpoint.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'

export interface ModelCheck {
  model: string
  /** Context window of the model in tokens. */
  window: number
  /** Failure of the request; undefined if the model responded. */
  failure?: ModelFailure
  /** Whether the text and reasoning of the response arrived in more than one piece. */
  streams: boolean
  /** Whether the model called the requested tool with the requested argument. */
  callsTools: boolean
  /** Usage as the provider counted it; undefined without a count. */
  usage?: TokenUsage
  /**
   * Milliseconds until the first text, reasoning or call of the response; undefined for a response without
   * any of these. `totalMs` is the time until the end.
   */
  firstMs?: number
  totalMs: number
}

const request: ModelRequest = {
  messages: [
    {
      role: 'user',
      content: 'Count from 1 to 10 in one line. Then call the tool echo with the word "anode", once.',
    },
  ],
  tools: [
    {
      name: 'echo',
      description: 'Returns the word it is given.',
      schema: {
        type: 'object',
        properties: { word: { type: 'string', description: 'The word.' } },
        required: ['word'],
        additionalProperties: false,
      },
    },
  ],
  maxOutput: 1_000,
}

/**
 * Returns the model of that name, or the default model of a run. Throws UserError for a model that cannot be
 * used, and if no model is set up.
 */
export async function pickCheckedModel(
  { env, loaded, workspace }: WorkspaceContext,
  spec: string | undefined,
): Promise<Model> {
  const providers = loaded.config.providers as ProviderSettingsTable | undefined
  // the request is tried once, because the user wants to see occasional failures here
  const retry = { tries: 1 }
  const config = { model: loaded.config.model, providers }
  const { model, notice } = await pickModel(spec, {
    env,
    cwd: workspace,
    config,
    retry,
    isSwitchBarred: true,
  })
  if (notice !== undefined) throw noModel()
  return model
}

/** Sends one request. A failure of the request is part of the result and is not thrown. */
export async function checkModel(model: Model, signal: AbortSignal, now = Date.now): Promise<ModelCheck> {
  const start = now()
  const check: ModelCheck = {
    model: model.id,
    window: model.window,
    streams: false,
    callsTools: false,
    totalMs: 0,
  }
  let pieces = 0
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'text' || event.type === 'reasoning') pieces++
    if (event.type === 'discarded') pieces = 0
    if (event.type === 'text' || event.type === 'reasoning' || event.type === 'call')
      check.firstMs ??= now() - start
    if (event.type === 'call') {
      const { word } = (event.args ?? {}) as { word?: unknown }
      check.callsTools ||= event.name === 'echo' && word === 'anode'
    }
    if (event.type === 'usage' && !event.estimated) {
      const { type: _, ...usage } = event
      check.usage = usage
    }
    if (event.type === 'failure') check.failure = event.failure
  }
  check.streams = pieces > 1
  check.totalMs = now() - start
  return check
}
