// Permission rules that are in force until the session ends, which the user can list and revoke.
import type { CommandReply } from '../../../session/client.ts'
import { describeConditions } from '../../permissions/rule-conditions.ts'
import type { SessionParts } from '../session-parts.ts'

/**
 * Returns a reply with the rules of the session. First revokes the rule with the number `forget`, if given.
 * Returns an error reply for an unknown number.
 */
export function listSessionRules(
  { answers, feed }: Pick<SessionParts, 'answers' | 'feed'>,
  forget: string | undefined,
): CommandReply {
  const { rules } = answers
  if (forget !== undefined && !rules.delete(forget))
    return { ok: false, code: 'not_found', message: `this session has no rule ${forget}` }
  const listed = [...rules].map(([id, rule]) => ({
    id,
    action: rule.action,
    tool: rule.tool,
    when: describeConditions(rule),
  }))
  return { ...feed.accept(), rules: listed }
}
