// Default tools of the MCP server, which check work and claims, and the permission rules of
// its flag `--allow`.
import { messageOf } from '../../base/errors.ts'
import type { PermissionRule } from '../../policy/rules/permission-rule.ts'
import type { ApprovalHandler } from '../../tool/ctx.ts'

/** Tools that the server offers by default. They must stay at most 12. */
export const verifyToolNames: readonly string[] = [
  ...['prove', 'research_compare', 'study', 'study_verify', 'code_review', 'finder', 'lsp'],
  ...['get_diagnostics', 'find_thread', 'read_thread', 'result'],
]

/** Tools whose work continues if its client disconnects. */
const lasting: ReadonlySet<string> = new Set(['prove', 'research_compare', 'study'])

export const isLasting = (tool: string): boolean => lasting.has(tool)

/** Tools that run commands which the client names. */
const running = ['prove', 'research_compare']

/**
 * Returns rules with which `prove` and `research_compare` run exactly these command lines without approval.
 */
export const rulesForLines = (lines: readonly string[]): PermissionRule[] =>
  lines.flatMap((line) =>
    running.map((tool) => ({ tool, command: `=${line}`, action: 'allow' as const, origin: '--allow' })),
  )

/**
 * Returns a handler that adds advice about the flag `--allow` to the denial of a check that no
 * user could approve.
 */
export function adviseFlag(ask: ApprovalHandler): ApprovalHandler {
  return async (request, ...rest) => {
    const reply = await ask(request, ...rest)
    if (reply.allow || !reply.unanswered || !running.includes(request.tool)) return reply
    const advice = "start the server with --allow 'COMMAND' for each command that may run without a question"
    return { ...reply, why: `${reply.why}; ${advice}` }
  }
}

/** Returns a signal that ends a call when its client cancels it, and not when the client disconnects. */
export function cancelledOnly(signal: AbortSignal): AbortSignal {
  const cancelled = new AbortController()
  const follow = () => {
    if (!/connection closed|the client has gone/i.test(messageOf(signal.reason)))
      cancelled.abort(signal.reason)
  }
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  return cancelled.signal
}
