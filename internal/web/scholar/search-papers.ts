// The search of scholarly engines. They are asked in turn, also after failures, until there are enough papers
// or two engines have answered.
import { FailureError } from '../../base/errors.ts'
import type { GuardedFetch } from '../../net/guarded-fetch.ts'
import { mergePapers } from './merge-papers.ts'
import type { ScholarEngine } from './scholar-engines.ts'
import type { ScholarPaper, ScholarQuery } from './scholar-paper.ts'
import { joinFailures } from './scholar-request.ts'

interface ScholarResult {
  papers: ScholarPaper[]
  /** Names of the engines that have responded. */
  engines: string[]
  /** Reasons why other engines that were asked have not responded. A skipped engine has no note. */
  notes: string[]
}

/** Number of responses after which no more engines are asked, even if too few papers were found. */
const maxAnswers = 2

/**
 * Returns at most `query.limit` papers. Rejects with FailureError if no engine has responded or the
 * search is canceled. `mayAsk` is called before each engine except the first; if it returns false, the
 * engine is skipped.
 */
export async function searchPapers(
  engines: readonly ScholarEngine[],
  query: ScholarQuery,
  fetch: GuardedFetch,
  mayAsk: (engine: ScholarEngine) => Promise<boolean>,
): Promise<ScholarResult> {
  const failures: FailureError[] = []
  const answered: string[] = []
  let papers: ScholarPaper[] = []
  for (const [index, engine] of engines.entries()) {
    if (papers.length >= query.limit || answered.length >= maxAnswers) break
    if (index > 0 && !(await mayAsk(engine))) continue
    try {
      const results = await engine.search(query, fetch)
      papers = mergePapers([...papers, ...results.filter((paper) => isWithinYears(paper, query))])
      answered.push(engine.name)
    } catch (error) {
      if (!(error instanceof FailureError) || error.failure.code === 'cancelled') throw error
      failures.push(error)
    }
  }
  if (answered.length === 0) throw joinFailures(failures)
  const notes = failures.map(({ failure }) => [failure.message, failure.hint].filter(Boolean).join('. '))
  return { papers: papers.slice(0, query.limit), engines: answered, notes }
}

/**
 * Returns true if a paper is in the wanted range of years, or its year is unknown. Engines apply
 * the range loosely.
 */
function isWithinYears({ year }: ScholarPaper, { fromYear, toYear }: ScholarQuery): boolean {
  if (year === null) return true
  return (fromYear === undefined || year >= fromYear) && (toYear === undefined || year <= toYear)
}
