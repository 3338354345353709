// Open permissions and questions of a session, each answered once.
import type { EventDraft } from '../../event/event.ts'
import type { PermissionRule } from '../../policy/rules/permission-rule.ts'
import { createQuestionChannel } from '../../runtime/run/question-channel.ts'
import type { CommandRefusal } from '../../session/client.ts'
import type { PermissionAnswer, QuestionAnswer } from '../../session/commands.ts'
import { describePartDenial, readOffers } from '../../session/permission-offers.ts'
import type { PendingPermission } from '../../session/snapshot.ts'
import type { ApprovalReply, ApprovalRequest, UserReply } from '../../tool/ask.ts'
import type { ApprovalHandler, UserChannel } from '../../tool/ctx.ts'

export interface PendingAnswers {
  ask: ApprovalHandler
  user: UserChannel
  /** Rules that are in force until the session ends, by their number such as `s1`. */
  readonly rules: Map<string, PermissionRule>
  /**
   * Answers the request for permission of a call. Returns undefined if the answer is accepted, otherwise
   * the error reply.
   */
  answerPermission(call: string, answer: PermissionAnswer): CommandRefusal | undefined
  answerQuestion(call: string, answer: QuestionAnswer): CommandRefusal | undefined
  /** Ends all open questions, because the user has sent a message to the run instead of an answer. */
  replaceByMessage(): void
  /** Denies all open requests for permission, and ends open questions as unanswered. `why`: the reason. */
  refuseAll(why: string): void
}

type EventReporter = (draft: EventDraft) => Promise<void>

/**
 * Creates the lists of open requests for permission and open questions. `findAsked` returns a recorded
 * request for permission, which may be recorded and answered before `ask` is called. `rules` are
 * already in force.
 */
export function createPendingAnswers(
  report: EventReporter,
  findAsked: (call: string) => PendingPermission | undefined,
  rules: readonly PermissionRule[] = [],
): PendingAnswers {
  const permissions = pendingPermissions(report, findAsked, rules)
  const questions = pendingQuestions(report)
  return {
    ...permissions,
    ...questions,
    refuseAll(why) {
      permissions.refuseAll(why)
      questions.refuseAll(why)
    },
  }
}

function refuseAnswer(call: string, answered: ReadonlySet<string>): CommandRefusal {
  return answered.has(call)
    ? { ok: false, code: 'already_answered', message: 'this was answered already' }
    : { ok: false, code: 'not_found', message: `nothing of the name ${call} waits for an answer` }
}

interface OpenPermission {
  request: ApprovalRequest
  answer(answer: PermissionAnswer): void
  refuse(why: string): void
}

function pendingPermissions(
  report: EventReporter,
  findAsked: (call: string) => PendingPermission | undefined,
  carried: readonly PermissionRule[],
): Pick<PendingAnswers, 'ask' | 'rules' | 'answerPermission' | 'refuseAll'> {
  const open = new Map<string, OpenPermission>()
  const early = new Map<string, PermissionAnswer>()
  const answered = new Set<string>()
  const rules = new Map<string, PermissionRule>()
  let count = 0
  const keep = (rule: PermissionRule) => rules.set(`s${++count}`, rule)
  carried.forEach(keep)
  return {
    rules,
    ask: (request) =>
      new Promise((resolve) => {
        const { call, signal } = request
        const finish = (reply: ApprovalReply) => {
          open.delete(call)
          answered.add(call)
          signal.removeEventListener('abort', end)
          resolve(reply)
        }
        const end = () => finish({ allow: false, why: 'the run was ended' })
        const answer = (userAnswer: PermissionAnswer) => {
          if (userAnswer.allow && userAnswer.scope === 'session')
            rulesAt(request, userAnswer.rules).forEach(keep)
          finish(replyOf(userAnswer, request))
        }
        if (signal.aborted) return end()
        const earlyAnswer = early.get(call)
        early.delete(call)
        if (earlyAnswer) return answer(earlyAnswer)
        open.set(call, { request, answer, refuse: (why) => finish({ allow: false, why }) })
        signal.addEventListener('abort', end, { once: true })
        void showPreview(request, () => open.has(call), report)
      }),
    refuseAll(why) {
      for (const { refuse } of [...open.values()]) refuse(why)
    },
    answerPermission(call, answer) {
      const waiting = open.get(call)
      if (waiting) {
        const refused = checkAnswer(waiting.request, answer)
        if (!refused) waiting.answer(answer)
        return refused
      }
      const permission = findAsked(call)
      if (answered.has(call) || early.has(call) || !permission) return refuseAnswer(call, answered)
      const refused = checkAnswer({ always: readOffers(permission), parts: permission.parts }, answer)
      if (refused) return refused
      early.set(call, answer)
      return undefined
    },
  }
}

function pendingQuestions(
  report: EventReporter,
): Pick<PendingAnswers, 'user' | 'answerQuestion' | 'replaceByMessage' | 'refuseAll'> {
  const open = new Map<string, (reply: UserReply) => void>()
  const answered = new Set<string>()
  return {
    user: createQuestionChannel(report, async (call, _, signal) => {
      const userReply = await new Promise<UserReply>((resolve) => {
        open.set(call, resolve)
        const dismiss = () => resolve({ status: 'dismissed' })
        signal.addEventListener('abort', dismiss, { once: true })
        if (signal.aborted) dismiss()
      })
      open.delete(call)
      answered.add(call)
      return userReply
    }),
    replaceByMessage() {
      for (const resolve of open.values()) resolve({ status: 'dismissed', messageFollows: true })
    },
    refuseAll(why) {
      for (const resolve of open.values()) resolve({ status: 'no_user_available', why })
    },
    answerQuestion(call, answer) {
      const resolve = open.get(call)
      if (!resolve) return refuseAnswer(call, answered)
      open.delete(call)
      answered.add(call)
      resolve(answer)
      return undefined
    },
  }
}

const rulesAt = ({ always = [] }: ApprovalRequest, ruleIndexes: readonly number[]) =>
  always.flatMap(({ rule }, at) => (ruleIndexes.includes(at) ? [rule] : []))

/**
 * Returns the error of an answer that allows more than one call but names none of the offered rules or an
 * unknown one, or that denies parts that were not shown. Undefined for a valid answer.
 */
function checkAnswer(
  { always, parts }: Pick<ApprovalRequest, 'always' | 'parts'>,
  answer: PermissionAnswer,
): CommandRefusal | undefined {
  const refuse = (message: string): CommandRefusal => ({ ok: false, code: 'bad_args', message })
  if (!answer.allow) {
    const isPart = (at: number) => at < (parts?.length ?? 0)
    return answer.parts?.every(isPart) === false ? refuse('the call has no such part') : undefined
  }
  if (answer.scope === 'once') return undefined
  const offers = always?.length ?? 0
  if (offers === 0) return refuse('this call can be allowed once only')
  const isNamed = answer.rules.length > 0 && answer.rules.every((at) => at < offers)
  return isNamed ? undefined : refuse('name the rules to keep, of those that were offered')
}

function replyOf(answer: PermissionAnswer, { parts = [], always = [] }: ApprovalRequest): ApprovalReply {
  if (!answer.allow) {
    const { words = '', stop } = answer
    const denied = answer.parts?.filter((at) => at < parts.length) ?? []
    const what = denied.length > 0 ? ` ${describePartDenial(parts, denied)}` : ''
    const says = words.trim() === '' ? '' : `${what === '' ? '' : ','} and says: ${words.trim()}`
    const ends = stop && says === '' ? ' and ended the run' : ''
    return { allow: false, why: `the user denied it${what}${says}${ends}` }
  }
  switch (answer.scope) {
    case 'once':
      return { allow: true, why: 'the user allowed it' }
    case 'session':
      return { allow: true, why: `the user allowed it, for this session${nameRules(answer.rules, always)}` }
    case 'workspace':
      return {
        allow: true,
        why: `the user allowed it, now and always here${nameRules(answer.rules, always)}`,
        always: answer.rules,
      }
  }
}

/** Returns text with the numbers of the rules that the user chose of several offers; empty for one offer. */
const nameRules = (ruleIndexes: readonly number[], offers: readonly unknown[]) =>
  offers.length > 1 ? `: rule ${ruleIndexes.map((at) => at + 1).join(', ')} of ${offers.length}` : ''

/**
 * Reports the preview of a change if the request is still open. Without a preview, screens show
 * only the arguments.
 */
async function showPreview(
  request: ApprovalRequest,
  isOpen: () => boolean,
  report: EventReporter,
): Promise<void> {
  const preview = await request.preview().catch(() => undefined)
  if (!preview || !isOpen()) return
  const { files, shows } = preview
  const payload = { call: request.call, files: files.map((file) => ({ ...file })), shows: [...shows] }
  await report({ type: 'permission.preview', payload })
}
