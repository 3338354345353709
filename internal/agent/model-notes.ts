// The short notes of Anode to a model, most with the next step, and the messages about limits.
import type { RunLimit } from './run-end.ts'

export const modelNotes = {
  empty: 'Your reply was empty. Call a tool, or answer in words.',
  loop:
    'You made the same calls three times in a row and got the same results. Try something else, ' +
    'or say what stops you.',
  cutCall:
    'Your reply was cut at the output limit before this call was complete, so it was not run. ' +
    'Send it again, in smaller pieces.',
  filteredCall:
    'The provider ended your response before it was complete (a filter, or an unknown reason), ' +
    'so none of its calls ran. Continue in another way, or report what stops you.',
  over: (limit: RunLimit) =>
    `Not run: the limit on ${limitWords[limit]} is reached. Answer with what you have.`,
  near: (spent: string) =>
    `Most of a limit is spent: ${spent}. Finish what matters most now, and leave room to say what was found.`,
  conclude: (limit: RunLimit) =>
    `The limit on ${limitWords[limit]} is reached and no more tools can be called. Say ` +
    'what was done, what was found and what is still open.',
  limits: {
    turns: 'no turns are left',
    calls: 'no tool calls are left',
    tokens: 'the token budget is spent',
    usd: 'the money budget is spent, or the price is unknown',
    time: 'the time is up',
  },
} as const

const limitWords: Record<RunLimit, string> = {
  turns: 'turns',
  calls: 'tool calls',
  tokens: 'tokens',
  usd: 'money',
  time: 'time',
}
