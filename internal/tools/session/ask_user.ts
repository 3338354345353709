// The tool ask_user: asks the user one questionnaire of one to four questions.

import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import type { UserQuestion, UserReply } from '../../tool/ask.ts'
import { field, filledText, optionalText, switchOff } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './ask_user.md'

const option = z.object({
  id: field(filledText(), 'Short id; the result names the chosen one'),
  label: field(filledText(), 'Answer as the user reads it'),
  description: field(z.optional(z.string()), 'What follows from this answer'),
})

/** Models often send an option only as its label, which then also serves as its id. */
const plainOptions = { lone: ['id', 'label'] }

/** The schema of further questions. Their fields are described once, at the first question. */
const furtherQuestion = z.object({
  question: filledText(),
  reason: optionalText(),
  options: field(z.array(option), 'Answers to choose from', plainOptions),
  allow_freeform: switchOff(),
  required: switchOff(),
  topic: optionalText(),
})

const input = z.object({
  question: field(filledText(), 'What to ask'),
  reason: field(optionalText(), 'What depends on it'),
  options: field(z.array(option), 'Answers to choose from', plainOptions),
  allow_freeform: field(switchOff(), 'Accept a typed answer too'),
  required: field(switchOff(), 'true: you cannot continue without an answer'),
  topic: field(optionalText(), 'Short label of the question'),
  questions: field(
    z.optional(z.array(furtherQuestion).check(z.maxLength(3))),
    'Up to 3 more questions, each with the fields above',
    { likeSiblings: true },
  ),
})

/** One answer of the user, with the text of its question and of the chosen option. */
interface UserAnswer {
  id: string
  topic?: string
  question: string
  option?: string
  label?: string
  text?: string
}
type AskUserReply = { status: 'answered' | 'dismissed'; answers: UserAnswer[]; unanswered: string[] }

export const askUser = defineTool({
  name: 'ask_user',
  about,
  input,
  example: {
    question: 'Which database driver?',
    options: [
      { id: 'postgres', label: 'PostgreSQL' },
      { id: 'sqlite', label: 'SQLite', description: 'one file, no server' },
    ],
    allow_freeform: true,
  },
  level: 'interactive',
  async validate(args) {
    const problems = questionsOf(args).flatMap(findFaults)
    if (problems.length > 0) throw new FailureError({ code: 'bad_args', message: problems.join('; ') })
  },
  async run(args, ctx): Promise<ToolResult<AskUserReply>> {
    if (!ctx.can.user) throw noAnswer('no user is present to answer')
    const questions = questionsOf(args)
    return reportReply(
      questions,
      await ctx.can.user.ask({ from: 'the model', call: ctx.call.id, questions }, ctx.signal),
    )
  },
})

/** Returns the questions of a call in their order, with ids `q1` to `q4`. */
function questionsOf(args: z.output<typeof input>): UserQuestion[] {
  return [args, ...(args.questions ?? [])].map((entry, i) => {
    const topic = entry.topic?.trim().split(/\s+/).join('-')
    return {
      id: `q${i + 1}`,
      question: entry.question,
      reason: entry.reason || undefined,
      topic: topic || undefined,
      options: entry.options.map(({ id, label, description }) => ({
        id,
        label,
        description: description || undefined,
      })),
      allowFreeform: entry.allow_freeform,
      required: entry.required,
    }
  })
}

function findFaults({ id, options, allowFreeform }: UserQuestion): string[] {
  const ids = options.map((option) => option.id)
  const twice = [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))]
  const messages = twice.map((option) => `${id}: the option id ${option} is used twice`)
  if (ids.length === 0 && !allowFreeform) {
    messages.push(`${id}: without options only allow_freeform makes an answer possible`)
  }
  return messages
}

function reportReply(questions: readonly UserQuestion[], reply: UserReply): ToolResult<AskUserReply> {
  if (reply.status === 'no_user_available') throw noAnswer(reply.why)
  const open = questions.filter((q) => q.required).map((q) => q.question)
  if (reply.status === 'dismissed') {
    const data: AskUserReply = { status: 'dismissed', answers: [], unanswered: questions.map((q) => q.id) }
    return { text: describeDismissal(open.length > 0, reply.messageFollows), data }
  }
  const answers: UserAnswer[] = []
  for (const userAnswer of reply.answers) {
    const question = questions.find((q) => q.id === userAnswer.id)
    const option = question?.options.find((option) => option.id === userAnswer.option)
    if (!question || (userAnswer.option !== undefined && !option)) {
      // A program that answers for the user has sent an answer that the question does not allow, so the
      // user's choice is not known.
      throw noAnswer(`the answer ${userAnswer.option ?? userAnswer.id} does not fit a question of this call`)
    }
    answers.push({
      id: question.id,
      topic: question.topic || undefined,
      question: question.question,
      option: option?.id,
      label: option?.label,
      text: userAnswer.text,
    })
  }
  const unanswered = questions.filter((q) => !answers.some(({ id }) => id === q.id))
  const lines = [
    ...answers.map((a) => `${a.question}\n  ${a.text ?? `${a.label} (${a.option})`}`),
    ...unanswered.map((q) => `${q.question}\n  (no answer${q.required ? ', though one was required' : ''})`),
  ]
  return {
    text: lines.join('\n'),
    data: { status: 'answered', answers, unanswered: unanswered.map(({ id }) => id) },
  }
}

function describeDismissal(isRequired: boolean, messageFollows = false): string {
  if (messageFollows)
    return 'The user answered with a message instead, which follows. Ask again if the question stays open.'
  const next = isRequired
    ? 'The answer was required: stop and report what you need to know.'
    : 'Continue with your best guess and name it in your answer.'
  return `The user closed the question. ${next}`
}

function noAnswer(message: string): FailureError {
  return new FailureError({
    code: 'no_user_available',
    message,
    hint: 'Decide with what you know and name the assumption, or stop and report the question.',
  })
}
