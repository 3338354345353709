// Words for the reasons why a run ended early, the same on the page and in the terminal.

/**
 * Words by the reason of a run's end, as events and files have it. Most runs with another reason were
 * cancelled, and their reason is a text already.
 */
export const runReasonWords: Readonly<Record<string, string>> = {
  auth: 'no valid key',
  payment: 'no credit left',
  forbidden: 'not allowed with this key',
  not_found: 'model not found',
  context_too_long: 'the conversation is too long',
  filter: 'withheld by the provider',
  tools_unsupported: 'the model cannot call tools',
  bad_request: 'the provider rejected the request',
  rate_limit: 'rate limit reached',
  server: 'server error',
  unreachable: 'the model cannot be reached',
  broken: 'connection lost',
  stalled: 'the model stopped responding',
  cancelled: 'cancelled',
  script_exhausted: 'the script has ended',
  replay_miss: 'the recording lacks this request',
  internal: 'internal error',
  empty_reply: 'the response was empty',
  denied: 'a call was denied',
  tampered: 'the check was changed',
  turns: 'no turns left',
  calls: 'no calls left',
  tokens: 'no tokens left',
  usd: 'no money left',
  time: 'no time left',
  loop: 'the model repeated itself',
  length: 'the response was too long',
  hook: 'ended by a hook',
  unproven: 'not proven',
  no_change: 'no further change',
  check_changed: 'passes only with changed tests',
  stood_down: 'the check was withdrawn',
  unrecorded: 'not recorded',
}

/**
 * Returns the words for the reason why a run ended, and the message after it if there is one:
 * `no valid key: 401`.
 */
export const describeRunReason = (reason: string): string => describeCode(reason, runReasonWords)

/**
 * Returns a text that begins with a code with the words for that code. A code that is missing in `words`, for
 * example one of a later version, gets spaces for its underscores. Any other text stays as it is.
 */
export function describeCode(text: string, words: Readonly<Record<string, string>>): string {
  const [code = ''] = text.split(': ', 1)
  const name = Object.hasOwn(words, code) ? words[code] : code.replace(/^[a-z]+(?:_[a-z]+)+$/, spaceWords)
  return `${name}${text.slice(code.length)}`
}

const spaceWords = (code: string) => code.replaceAll('_', ' ')
