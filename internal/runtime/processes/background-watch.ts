// Record of the files in a session's directories, which finds files that background jobs
// and terminals changed.
import type { FileStamp } from '../../process/process-command.ts'
import type { createFileMemory, listFiles } from '../../sandbox/file-record.ts'

type FileStamps = ReturnType<typeof listFiles>['files']

interface FileBaseline {
  folders: readonly string[]
  files: FileStamps
}

/**
 * Finds the files that changed since background jobs or terminals started. Reads no directory before `begin`.
 */
export class BackgroundWatch {
  readonly #baselines = new Map<string, FileBaseline>()
  #memory: ReturnType<typeof createFileMemory> | undefined
  #listing: typeof import('../../sandbox/file-record.ts') | undefined

  /**
   * Records the present files of the directories; a second call with the same list does nothing. Await it
   * before a job or a terminal starts that writes in them.
   */
  async begin(folders: readonly string[]): Promise<void> {
    const key = folders.join('\n')
    if (this.#baselines.has(key)) return
    this.#listing ??= await import('../../sandbox/file-record.ts')
    this.#memory ??= this.#listing.createFileMemory()
    const { files } = this.#listing.listFiles(folders, [], this.#memory)
    if (!this.#baselines.has(key)) this.#baselines.set(key, { folders, files })
  }

  /** Returns the paths that `isWanted` selects and whose files changed since `begin` or the last call. */
  changes(isWanted: (path: string) => boolean): string[] {
    const paths = new Set<string>()
    for (const baseline of this.#baselines.values())
      for (const path of this.#compare(baseline, isWanted)) paths.add(path)
    return [...paths]
  }

  #compare({ folders, files: before }: FileBaseline, isWanted: (path: string) => boolean): string[] {
    if (!this.#listing || !this.#memory) return []
    const { files, all } = this.#listing.listFiles(folders, [], this.#memory, { isWanted })
    const oldPaths = [...before.keys()].filter(isWanted)
    const changed = [...files.keys(), ...oldPaths].filter((path) => {
      const now = files.get(path)
      return (now !== undefined || all) && !isUnchanged(before.get(path), now)
    })
    for (const path of changed) {
      const now = files.get(path)
      if (now) before.set(path, now)
      else before.delete(path)
    }
    return changed
  }
}

const isUnchanged = (a: FileStamp | undefined, b: FileStamp | undefined) =>
  a?.ino === b?.ino && a?.size === b?.size && a?.ctimeMs === b?.ctimeMs
