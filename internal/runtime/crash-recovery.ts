// Recovery from crashed runs at the start of the program: completes or reverts interrupted file changes and
// ends leftover processes.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../base/errors.ts'

/**
 * Cleans up after runs whose process has died. Reads only two directories if they are empty or missing.
 * Returns notices for the user.
 */
export async function cleanUpDeadRuns(data: string): Promise<string[]> {
  const notes: string[] = []
  if (hasEntries(join(data, 'journal'))) {
    const { recoverJournals } = await import('../base/files/file-transaction.ts')
    for (const { outcome, files, kept: keptFiles, why } of await recoverJournals(data)) {
      const done =
        outcome === 'failed' ? `can be neither finished nor undone yet: ${why}` : `has been ${outcome}`
      notes.push(`a change of ${files.join(', ')} that was cut off ${done}`)
      if (keptFiles.length > 0)
        notes.push(`left as they are, because they were changed since: ${keptFiles.join(', ')}`)
    }
  }
  if (hasEntries(join(data, 'run'))) {
    const { cleanUpDeadProcesses } = await import('../process/dead-runs.ts')
    const { processes } = await cleanUpDeadProcesses(data)
    if (processes > 0) notes.push(`processes of a run that died have been ended: ${processes}`)
  }
  return notes
}

function hasEntries(dir: string): boolean {
  try {
    return readdirSync(dir).length > 0
  } catch (error) {
    // an unusable directory is not reported here, because the first write to it reports the reason
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}
