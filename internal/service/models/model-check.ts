// One tiny real request to a model, and what its answer shows to work.
import type { Model, ModelFailure, ModelRequest, TokenUsage } from '../../model/model.ts'
import { noModel, pickModel } from '../../model/model-choice.ts'
import type { ProviderSettingsTable } from '../../model/provider-endpoint.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'

export interface ModelCheck {
  model: string
  /** Tokens that a request may hold, as far as is known. */
  window: number
  /** Absent when the model answered. */
  failure?: ModelFailure
  /** Whether the answer came in pieces. */
  streams: boolean
  /** Whether it called the tool that it was asked to call, with the argument it was given. */
  callsTools: boolean
  /** What the provider counted; absent when it counted nothing. */
  usage?: TokenUsage
  /** Milliseconds to the first word or call, and to the end. */
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

/** The model of that name, or the one that a run without a name would ask. Throws UserError for none. */
export async function pickCheckedModel(
  { env, loaded, workspace }: WorkspaceContext,
  spec: string | undefined,
): Promise<Model> {
  const providers = loaded.config.providers as ProviderSettingsTable | undefined
  // one try: what fails now and then is what a person wants to see here
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

/** Asks once. Never throws: what goes wrong is part of the answer. */
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
