// What a person should know of an endpoint: a window that nobody told, a prompt that did not arrive whole.
import { groupDigits } from '../../base/text/group-digits.ts'
import type { Model, ModelEvent, ModelMessage, ModelNotice, ModelRequest } from '../model.ts'
import { estimateRequest, weighMessage } from '../tokens.ts'
import type { ModelEndpoint } from '../wire/model-endpoint.ts'

const announced = new Set<string>()

/** Estimates of prompts are at most this much too high: what they refuse would not fit for certain. */
const surelyTooLong = 1.25

/**
 * The same model; the first request of this process says that its window is a guess, when it is one. What
 * does not fit into a window that is known is refused here, with the figures, before anything is sent.
 */
export function announceWindow(model: Model, endpoint: ModelEndpoint): Model {
  const { provider, window, isWindowGuessed } = endpoint
  const key = `${endpoint.endpoint.baseUrl} ${endpoint.model}`
  if (!isWindowGuessed) return refuseTooLong(model)
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (!announced.has(key)) {
      announced.add(key)
      const text =
        `the context window of ${model.id} is not known: ${groupDigits(window)} tokens are assumed; ` +
        `set providers.${provider}.window`
      yield { type: 'notice', code: 'window_guessed', text }
    }
    yield* model.stream(request, signal)
  }
  return { ...model, stream }
}

function refuseTooLong(model: Model): Model {
  async function* refuse(tokens: number): AsyncGenerator<ModelEvent> {
    const message =
      `the request (about ${tokens} tokens) exceeds the available context size ` +
      `(${model.window} tokens) of ${model.id}; nothing was sent`
    yield { type: 'failure', failure: { kind: 'context_too_long', message } }
  }
  return {
    ...model,
    stream(request, signal) {
      const tokens = estimateRequest(request)
      return tokens <= model.window * surelyTooLong ? model.stream(request, signal) : refuse(tokens)
    },
  }
}

/** Fewer tokens than this are a figure that no template gives for a prompt with tools. */
const minCredibleTokens = 64

/** Tokens from which on a list of tools, and a prompt, are large enough to be missed. */
const minToolTokens = 300
const minPromptTokens = 3_000

/** Estimates by characters are at most this much too high, for words as for schemas. */
const worstOverestimate = 2

/** A conversation may hold what takes few tokens for its length, such as blanks and repeated signs. */
const worstTextOverestimate = 3

/** No server cuts prompts to less. */
const minCutTokens = 1_000

/**
 * What of a request the server did not count: `tools` when the figure leaves no room for them beside the
 * text, `text` when it is far too small for the prompt. `counted` is the server's own figure for the input.
 */
export function findPromptLoss(request: ModelRequest, counted: number): 'tools' | 'text' | undefined {
  // what a picture or a document costs differs too much to be missed
  const hasMedia = (message: ModelMessage) =>
    typeof message.content !== 'string' && message.content.some(({ type }) => type !== 'text')
  if (counted < minCredibleTokens || request.messages.some(hasMedia)) return undefined
  const sent = estimateRequest(request)
  const text = request.messages.reduce((sum, message) => sum + weighMessage(message), 0)
  const tools = sent - text
  const isShort = counted < sent / worstOverestimate
  if (isShort && tools >= minToolTokens && counted > text / worstOverestimate) return 'tools'
  const isCut = counted >= minCutTokens && sent >= minPromptTokens && counted < sent / worstTextOverestimate
  return isCut ? 'text' : undefined
}

/** How a loss is said, with both figures and the setting that helps. */
export function describePromptLoss(
  lost: 'tools' | 'text',
  id: string,
  request: ModelRequest,
  counted: number,
): ModelNotice {
  const provider = id.slice(0, id.indexOf('/'))
  const figures =
    `it counted ${groupDigits(counted)} tokens of about ` + `${groupDigits(estimateRequest(request))}`
  if (lost === 'tools') {
    const text =
      `${id} does not see the tools, its chat template leaves them out (${figures}): they are sent as ` +
      `text from now on; set providers.${provider}.tools to "text", or mend the template`
    return { code: 'tools_dropped', text }
  }
  const text =
    `${id} cut the prompt (${figures}): what it says may rest on a part of it; give the server a larger ` +
    `context, or set providers.${provider}.window to the one it has`
  return { code: 'prompt_cut', text }
}
