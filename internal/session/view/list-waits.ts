// The tools that need approval and the questions for which a conversation waits, as lists and status
// lines show them.
import type { UserWaits } from '../snapshot.ts'

/** Returns the tools of the calls that need approval, then the first question of each open form. */
export const listWaits = ({ waits, questions }: UserWaits): string[] => [
  ...waits.map(({ tool }) => tool),
  ...questions.map(({ questionnaire }) => questionnaire.questions[0]?.question ?? ''),
]
