// Parser of a remote answer. Anything but an explicit answer is invalid.
import { FailureError } from '../base/errors.ts'
import { isObject } from '../base/untrusted-json.ts'
import type {
  ApprovalReply,
  ApprovalRequest,
  UserQuestion,
  UserQuestionnaire,
  UserReply,
} from '../tool/ask.ts'

type JsonAnswer = Readonly<Record<string, unknown>>

/** Largest number of characters in the reason of a denial. A longer reason is cut. */
const maxWhyChars = 2_000

/**
 * Parses `{"allow", "why"?, "always"?}`; `always` is a boolean or a list of positions of offered rules, from
 * 0. Throws FailureError for another form, or if `always` names a rule that was not offered. In a denial,
 * `always` is ignored.
 */
export function readApprovalAnswer(
  value: unknown,
  { always }: Pick<ApprovalRequest, 'always'>,
): ApprovalReply {
  const { allow, why, always: choice } = demandObject(value)
  if (typeof allow !== 'boolean') throw noAnswer('it has no `allow` that is true or false')
  if (why !== undefined && typeof why !== 'string') throw noAnswer('its `why` is not a text')
  if (!allow) {
    const words = (why ?? '').trim().slice(0, maxWhyChars)
    return { allow, why: words === '' ? 'the relay denied it' : `the relay denied it and says: ${words}` }
  }
  const ruleChoice = keptRules(choice, always?.length ?? 0)
  if (ruleChoice === undefined) return { allow, why: 'the relay allowed it' }
  return { allow, why: 'the relay allowed it, now and always here', always: ruleChoice }
}

/**
 * Returns which of the offered rules the answer wants to store: true for all, a list of their positions, or
 * undefined for no rule. Throws FailureError for another form, an empty list, and any rule if `offers` is 0.
 */
function keptRules(choice: unknown, offers: number): true | number[] | undefined {
  if (choice === undefined || choice === false) return undefined
  if (offers === 0) throw noAnswer('this call can be allowed once only')
  if (choice === true) return true
  const isPlace = (at: unknown): at is number =>
    Number.isInteger(at) && Number(at) >= 0 && Number(at) < offers
  if (Array.isArray(choice) && choice.length > 0 && choice.every(isPlace)) return choice
  throw noAnswer('its `always` names no rules that were offered')
}

/**
 * Parses `{"answers": [{"id", "option" | "text"}]}` or `{"dismissed": true}`; for one question `option` or
 * `text` may appear alone. Throws FailureError for another form, an unknown question or option, a text where
 * only options are allowed, two answers to a question, or a required question without one.
 */
export function readQuestionsAnswer(value: unknown, { questions }: UserQuestionnaire): UserReply {
  const answer = demandObject(value)
  if (answer['dismissed'] === true) return { status: 'dismissed' }
  const [first, ...more] = questions
  const alone = first && more.length === 0 && ('option' in answer || 'text' in answer)
  const list: unknown = alone ? [{ ...answer, id: first.id }] : answer['answers']
  if (!Array.isArray(list) || list.length === 0) throw noAnswer('it has neither `answers` nor `dismissed`')
  const answers = list.map((one: unknown) => readOne(demandObject(one), questions))
  const ids = answers.map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw noAnswer('it answers a question twice')
  const open = questions.find(({ id, required }) => required && !ids.includes(id))
  if (open) throw noAnswer(`it leaves ${open.id} open, which needs an answer`)
  return { status: 'answered', answers }
}

function readOne({ id, option, text }: JsonAnswer, questions: readonly UserQuestion[]) {
  const question = questions.find((one) => one.id === id)
  if (!question) throw noAnswer(`nothing of the name ${JSON.stringify(id ?? null)} was asked`)
  const chosenOption =
    question.options.find((one) => one.id === option) ?? question.options.find((one) => one.label === option)
  if (chosenOption) return { id: question.id, option: chosenOption.id }
  if (option !== undefined) throw noAnswer(`${question.id} has no option ${JSON.stringify(option)}`)
  if (!question.allowFreeform) throw noAnswer(`${question.id} takes one of its options`)
  if (typeof text !== 'string' || text.trim() === '') throw noAnswer(`${question.id} has no text`)
  return { id: question.id, text: text.trim() }
}

function demandObject(value: unknown): JsonAnswer {
  if (isObject(value)) return value
  throw noAnswer('it is not a JSON object')
}

const noAnswer = (why: string) => new FailureError({ code: 'bad_args', message: `invalid answer: ${why}` })

/** Parses JSON. Throws FailureError for an invalid text. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new FailureError({ code: 'bad_args', message: 'invalid answer: it is not JSON' }, cause)
  }
}
