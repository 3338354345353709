// Separate answers to the parts of a compound command, which runs only if every part is allowed.
import { describePartDenial } from '../../session/permission-offers.ts'
import type { ApprovalReply, ApprovalRequest } from '../../tool/ask.ts'
import type { SourceLine } from '../terminal/rows.ts'
import type { ApprovalChoice } from './approval-choice.ts'
import { partQuestionLines } from './approval-lines.ts'
import type { PromptAnswer } from './approval-prompt.ts'
import type { TextLook } from './argument-lines.ts'

/** Returns true if more than one part of the call needs approval, so that each part gets an answer. */
export function asksForParts({ parts = [] }: Pick<ApprovalRequest, 'parts'>): boolean {
  return parts.filter(({ action }) => action === 'ask').length > 1
}

/**
 * Returns the indexes of the rule offers that cover the part at index `at`. Offers for the whole
 * call are excluded.
 */
export function offersOfPart({ always = [], parts = [] }: ApprovalRequest, at: number): number[] {
  const name = parts[at]?.name
  return always.flatMap((offer, place) => (name !== undefined && offer.parts?.includes(name) ? [place] : []))
}

/**
 * Asks about every part that needs approval, in order, and returns one reply for the whole call. A part is
 * skipped if the user has already chosen all its rules for previous parts. Chosen rules are stored even if
 * another part is denied, but not after `stop` or `gone` (as in PromptAnswer), which is returned at once.
 */
export async function askParts(
  request: ApprovalRequest,
  look: TextLook,
  prompt: (lines: Iterable<SourceLine>, ...choices: ApprovalChoice[]) => Promise<PromptAnswer>,
): Promise<ApprovalReply | 'stop' | 'gone'> {
  const { parts = [] } = request
  const denied: number[] = []
  const keptOffers: number[] = []
  for (const [at, { action }] of parts.entries()) {
    if (action !== 'ask') continue
    const offers = offersOfPart(request, at)
    // The chosen rules of previous parts also cover this part, so the user is not asked again.
    if (offers.length > 0 && offers.every((place) => keptOffers.includes(place))) continue
    const lines = partQuestionLines(request, at, offers, look)
    const answer = offers.length > 0 ? await prompt(lines, 'always') : await prompt(lines)
    if (answer === 'stop' || answer === 'gone') return answer
    if (answer === 'always') keptOffers.push(...offers)
    else if (answer !== 'once') denied.push(at)
  }
  const always = keptOffers.length > 0 ? { always: keptOffers } : {}
  const now = keptOffers.length > 0 ? ', some of it now and always in this workspace' : ''
  if (denied.length === 0) return { allow: true, why: `the user allowed every part of it${now}`, ...always }
  return { allow: false, why: `the user denied it ${describePartDenial(parts, denied)}`, ...always }
}
