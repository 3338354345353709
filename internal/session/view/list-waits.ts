// Names of the approvals and answers for which a conversation waits, shown in lists and status lines.
import type { UserWaits } from '../snapshot.ts'

/** Returns the tools of the calls that need approval, then the first question of each open form. */
export const listWaits = ({ waits, questions }: UserWaits): string[] => [
  ...waits.map(({ tool }) => tool),
  ...questions.map(({ questionnaire }) => questionnaire.questions[0]?.question ?? ''),
]
