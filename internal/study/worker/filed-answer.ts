// Search for the answer to a further question in the evidence that a study has stored, for a model that
// works by rules.
import { searchedWords } from '../../model/extract/found-passages.ts'
import type { PassageAnswer } from '../../retrieval/workspace-passages.ts'
import type { StudyEvidence } from '../log/entries.ts'

/** Largest number of stored passages that answer a question, the same as in a search of the files. */
const filedPassages = 8

/**
 * Smallest share of the question that the passages have to cover, in addition to the verdict `found`.
 * Otherwise the files are searched, because they may contain more.
 */
const minShare = 0.8

type FiledAnswer = Pick<PassageAnswer, 'results' | 'coverage' | 'remarks'>

/**
 * Returns the passages of `filed` that answer the question, in the form of a search result; each path
 * begins with the id of its evidence. `before` is the question before this one. Returns undefined if a part
 * of the question stays open, so that the files have to be searched. The same evidence in the same order
 * gives the same passages.
 */
export async function findFiledAnswer(
  objective: string,
  before: string | undefined,
  filed: readonly StudyEvidence[],
  signal: AbortSignal,
): Promise<FiledAnswer | undefined> {
  const { searchFiles } = await import('../../retrieval/workspace-passages.ts')
  const files = onePerPlace(filed).map(({ id, canonical, excerpt }) => {
    return { path: `${id}/${canonical}`, real: '', text: excerpt }
  })
  const question = searchedWords(objective, { before })
  const search = { files, question, limit: filedPassages, signal }
  const { results, coverage, remarks } = await searchFiles(search, 'model')
  if (coverage.verdict !== 'found' || coverage.share < minShare) return undefined
  return { results, coverage, remarks }
}

/** Returns the evidence without repetitions, because several tasks may have stored the same lines. */
function onePerPlace(filed: readonly StudyEvidence[]): StudyEvidence[] {
  const knownKeys = new Set<string>()
  return filed.filter(({ canonical, excerpt }) => {
    const key = `${canonical}\n${excerpt}`
    const isNew = !knownKeys.has(key)
    knownKeys.add(key)
    return isNew
  })
}
