// Answers to questions from a file, for runs without an interactive user.
import { UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import type { UserQuestion } from '../tool/ask.ts'
import type { UserChannel } from '../tool/ctx.ts'

/**
 * Opens a user channel that answers from a JSON object. Its keys are question text, topic or ID (`q1` is the
 * first question of a call). Its values are an option ID, an option label or, where typing is allowed, text.
 * `null` dismisses the questionnaire. A question without a matching entry gets no answer. The channel reports
 * that no user is available if a required question or all questions have no answer, or if an answer is not a
 * valid option. Reads the file immediately and throws a UserError if it is missing or invalid.
 */
export function openAnswerFileUser(path: string): UserChannel {
  const entries = readAnswerFile(path)
  return {
    async ask({ questions }) {
      const answers: { id: string; option?: string; text?: string }[] = []
      const missing: UserQuestion[] = []
      for (const question of questions) {
        const key = keysOf(question).find((key) => Object.hasOwn(entries, key))
        if (key === undefined) {
          missing.push(question)
          continue
        }
        const value = entries[key] as string | null
        if (value === null) return { status: 'dismissed' }
        const option =
          question.options.find(({ id }) => id === value) ?? question.options.find((o) => o.label === value)
        if (option) answers.push({ id: question.id, option: option.id })
        else if (question.allowFreeform) answers.push({ id: question.id, text: value })
        else
          return reportNoUser(
            `the answer ${JSON.stringify(value)} in ${path} must be one of: ${idsOf(question)}`,
          )
      }
      const missingQuestion =
        missing.find(({ required }) => required) ?? (answers.length === 0 ? missing[0] : undefined)
      if (missingQuestion)
        return reportNoUser(
          `${path} has no answer for ${keysOf(missingQuestion)
            .map((k) => JSON.stringify(k))
            .join(' or ')}`,
        )
      return { status: 'answered', answers }
    },
  }
}

const reportNoUser = (why: string) => ({ status: 'no_user_available', why }) as const
const idsOf = (question: UserQuestion) => question.options.map(({ id }) => id).join(', ')

/** Returns the keys under which the file may have an answer to the question, the most specific first. */
function keysOf({ id, topic, question }: UserQuestion): string[] {
  return [question, ...(topic ? [topic] : []), id]
}

function readAnswerFile(path: string): Record<string, string | null> {
  const text = readSmall(path)
  if (text === undefined)
    throw new UserError(`the answers file ${path} does not exist`, {
      hint: 'write one JSON object, such as {"Which database driver?": "sqlite"}',
    })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UserError(`the answers file ${path} is not JSON`, { hint: (cause as Error).message, cause })
  }
  const fits =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((v) => typeof v === 'string' || v === null)
  if (!fits) {
    throw new UserError(`the answers file ${path} must contain one object of strings`, {
      hint: 'write for example {"Which database driver?": "sqlite"}',
    })
  }
  return value as Record<string, string | null>
}
