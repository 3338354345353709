// The rules of a session that end with it: listed, and taken back.
import type { CommandReply } from '../../../session/client.ts'
import { describeConditions } from '../../permissions/rule-conditions.ts'
import type { SessionParts } from '../session-parts.ts'

/** What holds from now on; `forget` is the number of a rule that is to hold no longer. */
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
