// Form that asks a user whether a call may run, and parser of its answer.
import type { ApprovalReply, ApprovalRequest } from '../tool/ask.ts'
import type { ElicitationForm, FormReply } from './elicitation-form.ts'

/**
 * Returns the form, with the choice `always` only if a rule can be stored. No field has a default, because a
 * client that fills in defaults has not asked a user.
 */
export function approvalForm({ always }: Pick<ApprovalRequest, 'always'>, text: string): ElicitationForm {
  const choices = [
    { const: 'once', title: 'Allow this call' },
    ...(always ? [{ const: 'always', title: 'Allow it, and keep the rule that is shown' }] : []),
    { const: 'deny', title: 'Deny' },
  ]
  return {
    message: text,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', title: 'May it run?', oneOf: choices },
        words: { type: 'string', title: 'Words', description: 'Told to the agent when you deny it' },
      },
      required: ['decision'],
    },
  }
}

/**
 * Parses the answer. Anything but an explicit approval denies the call. A cancelled form
 * counts as unanswered.
 */
export function readApprovalReply(
  { action, content }: FormReply,
  { always }: Pick<ApprovalRequest, 'always'>,
): ApprovalReply {
  if (action === 'cancel') return { allow: false, why: 'no user answered', unanswered: true }
  const { decision, words } = action === 'accept' ? (content ?? {}) : {}
  if (decision === 'once') return { allow: true, why: 'the user allowed it' }
  if (decision === 'always' && always)
    return { allow: true, why: 'the user allowed it, now and always here', always: true }
  const reason = typeof words === 'string' ? words.trim() : ''
  return { allow: false, why: reason === '' ? 'the user denied it' : `the user denied it: ${reason}` }
}
