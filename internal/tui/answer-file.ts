// Answers questions from a file, for runs that nobody watches.
import { UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/small-file.ts'
import type { UserQuestion } from '../tool/ask.ts'
import type { UserChannel } from '../tool/ctx.ts'

/**
 * A User who answers from a JSON object: question text, topic or id (`q1` is the first of a call) to option
 * id, option label or, where typing is allowed, text; `null` dismisses. Nothing is made up: a question
 * without a fitting entry has no answer, and a call without any, or without a required one, has no user.
 * Reads the file at once; a UserError says what is wrong with it.
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
        else return nobody(`the answer ${JSON.stringify(value)} in ${path} is none of: ${idsOf(question)}`)
      }
      const wanted =
        missing.find(({ required }) => required) ?? (answers.length === 0 ? missing[0] : undefined)
      if (wanted)
        return nobody(
          `${path} has no answer for ${keysOf(wanted)
            .map((k) => JSON.stringify(k))
            .join(' or ')}`,
        )
      return { status: 'answered', answers }
    },
  }
}

const nobody = (why: string) => ({ status: 'no_user_available', why }) as const
const idsOf = (question: UserQuestion) => question.options.map(({ id }) => id).join(', ')

/** Under which keys an answer is looked for, the most telling first. */
function keysOf({ id, topic, question }: UserQuestion): string[] {
  return [question, ...(topic ? [topic] : []), id]
}

function readAnswerFile(path: string): Record<string, string | null> {
  const text = readSmall(path)
  if (text === undefined)
    throw new UserError(`the answers file ${path} does not exist`, {
      hint: 'it holds one JSON object such as {"Which database driver?": "sqlite"}',
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
    throw new UserError(`the answers file ${path} must hold one object of strings`, {
      hint: 'for example {"Which database driver?": "sqlite"}',
    })
  }
  return value as Record<string, string | null>
}
