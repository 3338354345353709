// Notices for the user about a model's endpoint: its context window is only guessed, or it did not get
// the whole prompt.
import { checksum } from '../../base/checksum.ts'
import { groupDigits } from '../../base/text/count-noun.ts'
import { isFirstTime } from '../endpoint/endpoint-memory.ts'
import type { Model, ModelEvent, ModelMessage, ModelNotice, ModelRequest } from '../model.ts'
import { estimateRequest, weighMessage } from '../tokens.ts'
import type { ModelEndpoint } from '../wire/model-endpoint.ts'

/**
 * Largest factor by which an estimate of a prompt's tokens may be too high. A prompt whose estimate exceeds
 * `window` times this factor certainly does not fit.
 */
const surelyTooLong = 1.25

/**
 * Returns the model with a notice if its window is a guess. The notice comes once per endpoint, key, model
 * and guess on this machine. With a known window, a request that certainly does not fit fails with
 * `context_too_long` and both numbers, and is not sent.
 */
export function announceWindow(model: Model, endpoint: ModelEndpoint): Model {
  const { provider, window, isWindowGuessed } = endpoint
  if (!isWindowGuessed) return refuseTooLong(model)
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (isFirstTime(endpoint, `window-${checksum(`${endpoint.model} ${window}`)}`)) {
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

/** Smallest number of prompt tokens that is plausible as a report of the server; lower counts are ignored. */
const minCredibleTokens = 64

/**
 * Smallest estimates, of a tool list and of a whole prompt, for which a low count by the server is taken as
 * proof of a loss. Smaller prompts are not checked.
 */
const minToolTokens = 300
const minPromptTokens = 3_000

/**
 * Largest factor by which an estimate of tokens from characters exceeds the real number, for
 * words and schemas.
 */
const worstOverestimate = 2

/**
 * Largest factor by which an estimate from characters exceeds the real number, for text such as spaces
 * and repeated characters.
 */
const worstTextOverestimate = 3

/**
 * Smallest count by the server for which a truncated prompt is assumed, because no server truncates
 * prompts to less.
 */
const minCutTokens = 1_000

/**
 * Returns the part of a request that the server did not count. Undefined if nothing seems lost, for a count
 * too low to be credible, and for a request with images or documents. `tools`: `counted` leaves no room for
 * the tools in addition to the text. `text`: `counted` is far too low for the prompt. `counted` is the number
 * of input tokens that the server reports.
 */
export function findPromptLoss(request: ModelRequest, counted: number): 'tools' | 'text' | undefined {
  // the tokens of an image or a document differ too much between models for this check
  const hasMedia = (message: ModelMessage) =>
    typeof message.content !== 'string' && message.content.some(({ type }) => type !== 'text')
  if (counted < minCredibleTokens || request.messages.some(hasMedia)) return undefined
  const requestTokens = estimateRequest(request)
  const text = request.messages.reduce((sum, message) => sum + weighMessage(message), 0)
  const tools = requestTokens - text
  const isShort = counted < requestTokens / worstOverestimate
  if (isShort && tools >= minToolTokens && counted > text / worstOverestimate) return 'tools'
  const isCut =
    counted >= minCutTokens &&
    requestTokens >= minPromptTokens &&
    counted < requestTokens / worstTextOverestimate
  return isCut ? 'text' : undefined
}

/**
 * Returns a notice about the lost tools or text, with the estimated and the counted tokens and the
 * setting that helps.
 */
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
      `${id} does not see the tools, its chat template leaves them out (${figures}): they are sent ` +
      `as text from now on; set providers.${provider}.tools to "text", or fix the template`
    return { code: 'tools_dropped', text }
  }
  const text =
    `${id} cut the prompt (${figures}): what it says may rest on a part of it; give the server a larger ` +
    `context, or set providers.${provider}.window to the one it has`
  return { code: 'prompt_cut', text }
}
