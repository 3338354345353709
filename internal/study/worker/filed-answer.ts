// Search for the answer to a further question in the stored evidence of a study, for a model by rules.
import { searchedWords } from '../../model/extract/request-input.ts'
import type { PassageAnswer } from '../../retrieval/workspace-passages.ts'
import type { StudyEvidence } from '../log/entries.ts'

/** Maximum number of passages, as in a search of the files. */
const filedPassages = 8

/**
 * Minimum share of the question that the passages cover. Below it the files may contain more than was stored.
 */
const minShare = 0.8

type FiledAnswer = Pick<PassageAnswer, 'results' | 'coverage' | 'remarks'>

/**
 * Returns the passages of `filed` that answer the objective, in the format of a search, with the evidence id
 * before each path. Returns undefined if a part stays open, so that the files have to be searched. The same
 * evidence in the same order gives the same passages.
 */
export async function findFiledAnswer(
  objective: string,
  before: string | undefined,
  filed: readonly StudyEvidence[],
  signal: AbortSignal,
): Promise<FiledAnswer | undefined> {
  if (filed.length === 0) return undefined
  const { findPassages } = await import('../../retrieval/find-passages.ts')
  const { describePassages } = await import('../../retrieval/workspace-passages.ts')
  const files = onePerPlace(filed).map(({ id, canonical, excerpt }) => {
    return { path: `${id}/${canonical}`, real: '', text: excerpt }
  })
  const question = searchedWords(objective, { before })
  const found = await findPassages({ files, question, limit: filedPassages, signal })
  const { verdict, share } = found.coverage
  if (verdict !== 'found' || share < minShare) return undefined
  const { results, coverage, remarks } = describePassages(found, 'model')
  return { results, coverage, remarks }
}

/** Returns the evidence without repeated excerpts, because several tasks may have stored the same lines. */
function onePerPlace(filed: readonly StudyEvidence[]): StudyEvidence[] {
  const known = new Set<string>()
  return filed.filter(({ canonical, excerpt }) => {
    const key = `${canonical}\n${excerpt}`
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
}
