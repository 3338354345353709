// Every end of a run as a stop reason of the protocol, and the failures that are errors of the request.
import { RequestError, type StopReason } from '@agentclientprotocol/sdk/unstable'
import { expect, test } from 'vitest'
import { stopReasonOf } from '../../../internal/acp/stop-reason.ts'
import type { RunEnd } from '../../../internal/agent/run-end.ts'

type ReasonOf<End extends RunEnd['end']> = Extract<RunEnd, { end: End; reason: string }>['reason']

const limits: Record<ReasonOf<'limit'>, StopReason> = {
  turns: 'max_turn_requests',
  calls: 'max_turn_requests',
  tokens: 'max_tokens',
  usd: 'max_turn_requests',
  time: 'max_turn_requests',
}

const partial: Record<ReasonOf<'partial'>, StopReason> = {
  ...limits,
  loop: 'max_turn_requests',
  length: 'max_tokens',
  filter: 'refusal',
  denied: 'end_turn',
  unproven: 'max_turn_requests',
  no_change: 'max_turn_requests',
  check_changed: 'max_turn_requests',
  stood_down: 'end_turn',
  hook: 'end_turn',
}

const failed: Record<ReasonOf<'failed'>, StopReason | 'error'> = {
  auth: 'error',
  payment: 'error',
  forbidden: 'error',
  not_found: 'error',
  context_too_long: 'error',
  filter: 'refusal',
  tools_unsupported: 'error',
  bad_request: 'error',
  rate_limit: 'error',
  server: 'error',
  unreachable: 'error',
  broken: 'error',
  stalled: 'error',
  cancelled: 'cancelled',
  script_exhausted: 'error',
  replay_miss: 'error',
  internal: 'error',
  empty_reply: 'error',
  denied: 'refusal',
  tampered: 'error',
}

const ends: Record<RunEnd['end'], Readonly<Record<string, StopReason | 'error'>>> = {
  done: { '': 'end_turn' },
  cancelled: { interrupted: 'cancelled', turns: 'cancelled' },
  limit: limits,
  partial,
  failed,
}

const rows = Object.entries(ends).flatMap(([end, reasons]) =>
  Object.entries(reasons).map(([reason, stop]) => ({ end, reason, stop })),
)

const read = (end: string, reason: string, message?: string) => {
  const cause = reason === '' ? {} : { reason }
  return stopReasonOf({ end, ...cause, message })
}

test.each(rows)('$end with the reason "$reason" is $stop', ({ end, reason, stop }) => {
  if (stop === 'error')
    expect(() => read(end, reason, 'what happened')).toThrow(new RequestError(-32_603, 'what happened'))
  else expect(read(end, reason, 'what happened')).toBe(stop)
})

test.each([
  ['limit', 'a later reason', 'max_turn_requests'],
  ['partial', 'toString', 'max_turn_requests'],
  ['partial', '', 'max_turn_requests'],
])('%s with the unknown reason "%s" is %s', (end, reason, stop) => expect(read(end, reason)).toBe(stop))

test.each([
  ['failed', 'toString', 'the run ended with toString'],
  ['failed', '', 'the run ended with failed'],
  ['a later end', '', 'the run ended with a later end'],
])('%s with the reason "%s" is an error in words', (end, reason, message) =>
  expect(() => read(end, reason)).toThrow(message),
)
