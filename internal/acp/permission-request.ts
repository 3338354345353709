// The editor's request for an approval, with the choices that the terminal screen also offers.
import type { PermissionOption, RequestPermissionOutcome } from '@agentclientprotocol/sdk/unstable'
import type { PermissionAnswer } from '../session/commands.ts'
import { listOfferChoices, readOffers } from '../session/permission-offers.ts'
import type { PendingPermission } from '../session/snapshot.ts'

interface PermissionChoice {
  option: PermissionOption
  answer: PermissionAnswer
}

/**
 * Returns the choices in the order of the screen: once, for the session, for the workspace, and the denials.
 * The session and the workspace are offered only with rules that can be kept.
 */
export function listPermissionChoices(permission: PendingPermission): PermissionChoice[] {
  const count = readOffers(permission).length
  const offerChoices = listOfferChoices(count)
  const names = (rules: readonly number[]) =>
    rules.length === count && offerChoices.length === 1
      ? ''
      : `, rule ${rules.map((at) => at + 1).join(', ')}`
  const keep = (scope: 'session' | 'workspace', label: string): PermissionChoice[] =>
    offerChoices.map((rules) => ({
      option: {
        optionId: `${scope}:${rules.join(',')}`,
        name: `${label}${names(rules)}`,
        kind: 'allow_always',
      },
      answer: { allow: true, scope, rules },
    }))
  return [
    {
      option: { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
      answer: { allow: true, scope: 'once', rules: [] },
    },
    ...keep('session', 'Allow in this session'),
    ...keep('workspace', 'Always allow in this workspace'),
    { option: { optionId: 'deny', name: 'Deny', kind: 'reject_once' }, answer: { allow: false } },
    {
      option: { optionId: 'stop', name: 'Deny and stop', kind: 'reject_once' },
      answer: { allow: false, stop: true },
    },
  ]
}

/**
 * Converts the editor's outcome to an answer. An outcome that was not offered denies the call. A missing
 * outcome, or a request that the user cancels, denies the call and ends the run.
 */
export function readPermissionOutcome(
  outcome: RequestPermissionOutcome | undefined,
  choices: readonly PermissionChoice[],
): PermissionAnswer {
  if (outcome?.outcome !== 'selected') return { allow: false, stop: true }
  const choice = choices.find(({ option }) => option.optionId === outcome.optionId)
  return choice?.answer ?? { allow: false, words: 'the editor gave an answer that was not offered' }
}
