// Looks whether what a study has filed already answers a further question, for a model that works by rules.
import { searchedWords } from '../../model/extract/request-input.ts'
import type { PassageAnswer } from '../../retrieval/workspace-passages.ts'
import type { StudyEvidence } from '../log/entries.ts'

/** Passages looked at, as many as a search of the files gives. */
const filedPassages = 8

/** Below this share of the question the files may hold more of it than was filed. */
const minShare = 0.8

type FiledAnswer = Pick<PassageAnswer, 'results' | 'coverage' | 'remarks'>

/**
 * The passages of `filed` that answer the objective, as the data of a search, with the id of the evidence
 * before each path. Undefined where they leave a part open, so that the files have to be searched. The same
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

/** Several tasks may have filed the same lines. */
function onePerPlace(filed: readonly StudyEvidence[]): StudyEvidence[] {
  const known = new Set<string>()
  return filed.filter(({ canonical, excerpt }) => {
    const key = `${canonical}\n${excerpt}`
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
}
