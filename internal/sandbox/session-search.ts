// Searches of one session for secret, protected and forbidden paths, with their limits and caches.
import type { SandboxRequest } from '../process/process-command.ts'
import { type ClosedPlaces, type ClosedSearch, findClosedPlaces } from './closed-places.ts'
import { type FoundPlaces, findFolderPlaces } from './folder-places.ts'
import type { SandboxMemory } from './sandbox-memory.ts'

/** Factor from the limit on directories to that on directory entries in searches for forbidden paths. */
const entriesPerDirectory = 50

/** Search in the directories of commands. Of more than `limit` directories, the others are not searched. */
export class SessionSearch {
  readonly limit: number
  /** Limit and caches of the search for paths that permission rules forbid to read. */
  readonly closed: ClosedSearch
  readonly #memory: SandboxMemory
  /** True if the last search of the directories in the key was complete, false if the limit ended it. */
  readonly #searched = new Map<string, boolean>()

  constructor(memory: SandboxMemory, limit: number) {
    this.#memory = memory
    this.limit = limit
    const { indexes } = memory.files
    this.closed = { entries: new Map(), indexes, limit: limit * entriesPerDirectory }
  }

  /**
   * Returns the secret and protected paths below `folders`. `isReserved` returns true for an empty directory
   * that the sandbox created to reserve a name.
   */
  find(folders: readonly string[], isReserved?: (path: string) => boolean): FoundPlaces {
    const memory = { folders: this.#memory.folders, indexes: this.#memory.files.indexes, limit: this.limit }
    const places = findFolderPlaces(folders, memory, isReserved)
    this.#searched.set(folders.join('\n'), places.all)
    return places
  }

  /** Returns the paths below `folders` that `closed` forbids to read. */
  findClosed(folders: readonly string[], closed: NonNullable<SandboxRequest['closed']>): ClosedPlaces {
    return findClosedPlaces(folders, closed, this.closed)
  }

  /**
   * Returns true if a search for secret, protected and forbidden paths covers every directory below
   * `folders`, and false if a limit ends the search early.
   */
  coversAll(folders: readonly string[], closed?: SandboxRequest['closed']): boolean {
    if (!(this.#searched.get(folders.join('\n')) ?? this.find(folders).all)) return false
    return !closed || this.findClosed(folders, closed).all
  }
}
