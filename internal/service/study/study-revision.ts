// The git commit of the files of a study on a server, so that workers with other files can check
// out that commit.
import { countNoun } from '../../base/text/count-noun.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { StudyHead } from '../../study/log/entries.ts'
import { readRevision } from '../../study/plan/corpus-commit.ts'
import type { StudyRun } from './request.ts'

/**
 * Returns the head with the commit of its files. Notes files that differ from the commit: then only
 * workers with equal files can serve the study. Outside of a repository, or if no program can be started,
 * the head stays unchanged.
 */
export async function addRevision(
  head: StudyHead,
  runtime: Runtime,
  { note, signal }: Pick<StudyRun, 'note' | 'signal'>,
): Promise<StudyHead> {
  const { run } = runtime.resources.can.processes
  const revision = run && (await readRevision(head.root, run, signal))
  if (!revision) return head
  const { commit, changed } = revision
  if (changed.count > 0) {
    const names = `${changed.first.join(', ')}${changed.count > changed.first.length ? ', …' : ''}`
    const differ = countNoun(changed.count, 'file differs', 'files differ')
    const effect = 'only workers with equal files serve this study'
    note(`${differ} from commit ${commit.slice(0, 12)} (${names}): ${effect}`)
  }
  return { ...head, revision }
}
