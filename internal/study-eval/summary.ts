// Figures of several questions together: sums, shares with intervals, and which results may be shown.
import { bootstrapInterval, type ShareInterval, wilsonInterval } from './interval.ts'
import { type EvalScore, type MethodScore, shareOf, sumCosts, sumScores } from './score.ts'

/**
 * Result of a method that gives text without claims, such as a plain search: how many of the facts
 * the text states.
 */
export interface PassageScore extends MethodScore {
  /** Number of questions whose first passage states a fact; undefined for text without passages. */
  first?: number
}

/**
 * A question with the results of a study, of one worker, of a plain search, and of the model without tools.
 */
export interface EvaluatedQuestion {
  id: string
  question: string
  half?: 'open' | 'sealed'
  study: EvalScore
  single: EvalScore
  /** Result of plain BM25 over paragraphs, which is one search. */
  paragraphs: PassageScore
  /**
   * Result of the model without tools; undefined unless it is a language model or replays recorded responses.
   */
  bare?: PassageScore
}

export interface EvalSummary {
  /** Number of questions. */
  asked: number
  study: EvalScore
  single: EvalScore
  paragraphs: PassageScore
  bare: PassageScore | null
  /** Confidence intervals of 95 %; null if nothing can be counted. */
  intervals: {
    recall: ShareInterval | null
    answerRecall: ShareInterval | null
    /** Difference in recall between the study and plain BM25, over the questions. */
    overParagraphs: ShareInterval | null
    named: ShareInterval | null
    doneEmpty: ShareInterval | null
  }
}

export function summarizeQuestions(questions: readonly EvaluatedQuestion[]): EvalSummary {
  const study = sumScores(questions.map((one) => one.study))
  const bare = questions.flatMap((one) => one.bare ?? [])
  const recall = (count: (one: EvaluatedQuestion) => number) =>
    bootstrapInterval(questions.length, (drawn) => {
      const sample = drawn.map((i) => questions[i] as EvaluatedQuestion)
      const sum = (of: typeof count) => sample.reduce((total, one) => total + of(one), 0)
      return shareOf(
        sum(count),
        sum((one) => one.study.facts),
      )
    })
  return {
    asked: questions.length,
    study,
    single: sumScores(questions.map((one) => one.single)),
    paragraphs: sumPassages(questions.map((one) => one.paragraphs)),
    bare: bare.length > 0 ? sumPassages(bare) : null,
    intervals: {
      recall: recall((one) => one.study.found),
      answerRecall: recall((one) => one.study.answered),
      overParagraphs: recall((one) => one.study.found - one.paragraphs.found),
      named: wilsonInterval(study.named, study.unanswerable),
      doneEmpty: wilsonInterval(study.doneEmpty, study.done),
    },
  }
}

function sumPassages(scores: readonly PassageScore[]): PassageScore {
  const sum = (of: (score: PassageScore) => number) => scores.reduce((total, one) => total + of(one), 0)
  return {
    facts: sum((one) => one.facts),
    found: sum((one) => one.found),
    first: sum((one) => one.first ?? 0),
    letters: sum((one) => one.letters),
    tokens: sum((one) => one.tokens),
    usd: sumCosts(scores),
  }
}

/**
 * Returns the questions; those of the sealed half have no lists of what was missed and what was wrong. If
 * rules were made after reading these lists, the sealed half would not test the rules any more.
 */
export function withoutSealed(questions: readonly EvaluatedQuestion[]): EvaluatedQuestion[] {
  return questions.map((one) =>
    one.half === 'sealed'
      ? { ...one, study: withoutDetails(one.study), single: withoutDetails(one.single) }
      : one,
  )
}

const withoutDetails = (score: EvalScore): EvalScore => ({ ...score, missed: [], wrong: [] })
