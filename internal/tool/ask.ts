// Questions to a person, and their answers, as the tool ask_user sends them.

export interface Question {
  id: string
  question: string
  reason?: string
  topic?: string
  options: readonly { id: string; label: string; description?: string }[]
  allowFreeform: boolean
  required: boolean
}

/** One questionnaire: a root question and at most three more. */
export interface Prompt {
  questions: readonly Question[]
}

/** `dismissed` is a status, not an error. */
export type Reply =
  | { status: 'answered'; answers: readonly { id: string; option?: string; text?: string }[] }
  | { status: 'dismissed' }
  | { status: 'no_user_available'; why: string }
