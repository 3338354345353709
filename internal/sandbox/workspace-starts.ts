// Protection of a session's directories around sandboxed commands: it records protected paths before a
// command and restores them after it.
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isStub, makeStubs, recordedStubs, removeStubs } from '../process/left-stubs.ts'
import type { RunCommand, SandboxReport, SandboxRequest } from '../process/process-command.ts'
import { type ClosedPlaces, type ClosedSearch, findClosedInMeasurement } from './closed-places.ts'
import { compareFiles, listFiles, recordFiles } from './file-record.ts'
import { type FoundPlaces, guardHistories, kernelFolders, usualSearchLimit } from './folder-places.ts'
import { mendLeftFiles } from './left-files.ts'
import { captureState, type ProtectedState, restoreState } from './protected-state.ts'
import { firstMissing, planReservedNames } from './reserved-names.ts'
import { createSandboxMemory, type SandboxMemory } from './sandbox-memory.ts'
import { isBelow, type LaidPlaces } from './sandbox-mounts.ts'
import { coverFiles, viewSecrets, writeExcludes } from './secret-views.ts'
import { SessionSearch } from './session-search.ts'
import { describeTrackedSecrets } from './tracked-secrets.ts'

interface WorkspaceStart {
  sandbox: SandboxRequest
  /** Directory for files of this run, which commands do not see. */
  directory: string
  number: number
}

export interface PreparedPlaces {
  places: FoundPlaces
  laid: LaidPlaces
  /** Messages about the search limit and about paths that are hidden or changed, each once in a session. */
  hidden: string[]
  /** One line about files with secret names in git's history; undefined without such files. */
  tracked: Promise<string | undefined>
}

/** State of protected paths before the first command, if several run at the same time. */
interface StateBaseline {
  folders: readonly string[]
  state: ProtectedState
  since: number
}

/** Protection for the commands of one session. It caches the content of directories. */
export class WorkspaceStarts {
  readonly #memory: SandboxMemory
  readonly #told = new Set<string>()
  readonly #tracked = new Map<string, Promise<string | undefined>>()
  readonly #run: RunCommand | undefined
  readonly #baselines = new Map<string, StateBaseline>()
  readonly #opened = new Set<string>()
  /** Texts about paths restored after background commands, for the next foreground command's result. */
  #unreported: string[] = []
  #running = 0
  readonly search: SessionSearch

  /** `run` starts git without a sandbox. Of more than `limit` directories, the others are not searched. */
  constructor(run?: RunCommand, limit = usualSearchLimit, memory = createSandboxMemory()) {
    this.#memory = memory
    this.#run = run
    this.search = new SessionSearch(memory, limit)
  }

  /**
   * Finds the protected paths before a command. For the kind `workspace`, it also creates empty directories
   * that reserve protected names. With `history`, it creates the missing directories `hooks` and `info` of
   * repositories. Call `leave` after the command.
   */
  async enter(start: WorkspaceStart): Promise<PreparedPlaces> {
    const { sandbox, directory } = start
    const stubs = recordedStubs(dirname(directory))
    const isReserved = (path: string) => stubs.size > 0 && isStub(path, stubs)
    const foundPlaces = this.search.find(sandbox.folders, isReserved)
    const settings = sandbox.history ? guardHistories([...foundPlaces.histories, ...foundPlaces.bare]) : []
    const places = { ...foundPlaces, guarded: [...foundPlaces.guarded, ...settings] }
    const reserved = sandbox.kind === 'workspace' ? this.#begin(start, places, isReserved) : []
    try {
      return await this.#show(start, places, reserved)
    } catch (error) {
      this.leave(start, [])
      throw error
    }
  }

  async #show(
    { sandbox, directory, number }: WorkspaceStart,
    places: FoundPlaces,
    reserved: readonly string[],
  ): Promise<PreparedPlaces> {
    const closed = sandbox.closed && this.search.findClosed(sandbox.folders, sandbox.closed)
    const { contents } = this.#memory
    const context = { directory, run: this.#run, indexes: this.#memory.files.indexes, contents }
    const isClosed = new Set(closed?.files)
    const secrets = places.secretFiles.filter(
      (path) => !isClosed.has(path) && !sandbox.revealed.includes(path),
    )
    // A command that may commit sees git's content of forbidden files, which its history has anyway.
    const asIndexed = sandbox.history ? [...secrets, ...isClosed] : secrets
    const views = await viewSecrets(asIndexed, context)
    const covered = sandbox.history ? { shown: [], index: [] } : coverFiles([...isClosed], context)
    const empty = views.filter(({ how }) => how === 'empty').map(({ path }) => path)
    const excludes = sandbox.history ? writeExcludes(empty, directory, number) : []
    const same = new Set(views.filter(({ how }) => how === 'same').map(({ path }) => path))
    const shownFiles = views.flatMap(({ path, source }) => (source === undefined ? [] : [{ path, source }]))
    return {
      places: {
        ...places,
        secretFiles: secrets.filter((path) => !same.has(path)),
        closedFiles: [...isClosed].filter((path) => !same.has(path)),
        closedFolders: closed?.folders ?? [],
      },
      laid: {
        stubs: reserved,
        shown: [...shownFiles, ...covered.shown, ...covered.index, ...excludes],
        links: places.links.map(({ path }) => path),
      },
      hidden: this.#tell(views, places, closed),
      tracked: this.#describeTracked(sandbox, places),
    }
  }

  /** Resolves to a line about secrets in git's history, or undefined. Searches the same directories once. */
  #describeTracked({ folders, searchesHistory }: SandboxRequest, { checkouts }: FoundPlaces) {
    const [folder = '/'] = folders
    const key = [searchesHistory, ...folders].join('\n')
    const memory = { indexes: this.#memory.files.indexes, run: searchesHistory ? this.#run : undefined }
    const line = this.#tracked.get(key) ?? describeTrackedSecrets(checkouts, folder, memory)
    this.#tracked.set(key, line)
    return line
  }

  #begin(
    { sandbox, directory, number }: WorkspaceStart,
    places: FoundPlaces,
    isReserved: (path: string) => boolean,
  ) {
    const { opened } = sandbox
    const folders = sandbox.folders.filter((folder) => !isShared(folder))
    const isOpened = (path: string) =>
      (sandbox.history && path.endsWith('/.git')) || opened.some((one) => isBelow(one, path))
    const names = folders.flatMap((folder) =>
      planReservedNames(folder, { isOpened, lasts: sandbox.lasts === true, isStub: isReserved }),
    )
    const ends = places.dangling.flatMap((path) => {
      const folder = folders.find((one) => isBelow(path, one))
      return folder === undefined
        ? []
        : (firstMissing(folder, path.slice(folder.length + 1), isReserved) ?? [])
    })
    const stubs = makeStubs(directory, number, [...new Set([...names, ...ends])])
    this.#running++
    for (const path of opened) this.#opened.add(path)
    const key = folders.join('\n')
    if (!this.#baselines.has(key))
      this.#baselines.set(key, { folders, state: captureState(places), since: Date.now() })
    return stubs
  }

  /**
   * Records the files that are not in `apart`. Returns a function that compares them with the files after the
   * command. That function returns `{}` unless the kind is `workspace` and `records` is set.
   */
  record(sandbox: SandboxRequest, apart: readonly string[]): () => Pick<SandboxReport, 'changes'> {
    if (sandbox.kind !== 'workspace' || !sandbox.records) return () => ({})
    const record = recordFiles(sandbox.folders, apart, this.#memory.files)
    return () => {
      const now = listFiles(sandbox.folders, apart, this.#memory.files)
      const files = compareFiles(record, now, this.#memory.files)
      return { changes: { files, index: record.index, all: record.listing.all && now.all } }
    }
  }

  /**
   * Ends one command. If no other command of the kind `workspace` runs, restores the protected paths that
   * contain no path in `opened`. Also removes pipes, devices, and setuid and setgid bits, unless any of
   * these commands had a path in `opened`. Returns messages about these changes; a foreground command
   * also gets those about earlier background commands. Returns [] if another command still runs or the
   * kind is different.
   */
  leave({ sandbox, directory, number }: WorkspaceStart, apart: readonly string[]): string[] {
    if (sandbox.kind !== 'workspace') return []
    removeStubs(directory, number)
    if (--this.#running > 0) return []
    // Another session may have commands in the same directories, whose reserved names must stay.
    const stubs = recordedStubs(dirname(directory))
    const isReserved = (path: string) => stubs.size > 0 && isStub(path, stubs)
    const lines = [...this.#baselines.values()].flatMap((baseline) =>
      this.#cleanUp(baseline, apart, isReserved),
    )
    this.#baselines.clear()
    this.#opened.clear()
    if (sandbox.lasts) this.#unreported.push(...lines)
    const all = sandbox.lasts ? lines : [...this.#unreported, ...lines]
    if (!sandbox.lasts) this.#unreported = []
    return all
  }

  #cleanUp(
    { folders, state, since }: StateBaseline,
    apart: readonly string[],
    isReserved: (path: string) => boolean,
  ): string[] {
    const isOpened = (path: string) => [...this.#opened].some((one) => isBelow(one, path))
    // Commands cannot see some paths. Only other programs, such as an editor, have changed those.
    const isLeft = (path: string) => isOpened(path) || !isReached(path, folders, apart)
    const refused = restoreState(state, this.search.find(folders, isReserved), isLeft)
    const mendNotes =
      this.#opened.size > 0 ? [] : mendLeftFiles({ folders, apart, since }, this.#memory.files)
    return [...refused, ...mendNotes]
  }

  /** Returns those messages about hidden paths and limits that were not reported before in this session. */
  #tell(
    views: Awaited<ReturnType<typeof viewSecrets>>,
    { secretFolders, all }: Pick<FoundPlaces, 'secretFolders' | 'all'>,
    closed: ClosedPlaces | undefined,
  ): string[] {
    const isClosed = new Set(closed?.files)
    const rows = views.filter(({ path }) => !isClosed.has(path))
    const lines = [
      ...rows.flatMap(({ path, how }) =>
        how === 'same'
          ? []
          : [how === 'empty' ? `${path} is shown empty` : `${path} is shown as git's index has it`],
      ),
      ...secretFolders.map((path) => `${path} is shown empty`),
      ...(all ? [] : [describeLimit(this.search.limit)]),
      ...(closed ? describeClosed(closed) : []),
    ].filter((line) => !this.#told.has(line))
    for (const line of lines) this.#told.add(line)
    return lines
  }
}

/** Returns true if a path is in one of the directories and no hidden directory is between them. */
const isReached = (path: string, folders: readonly string[], apart: readonly string[]) =>
  folders.some(
    (folder) =>
      isBelow(path, folder) &&
      !apart.some((dir) => dir !== folder && isBelow(dir, folder) && isBelow(path, dir)),
  )

/** Returns those paths of a measured command that `closed` forbids; undefined if either field is missing. */
export function findClosed(
  { measured, closed }: SandboxRequest,
  search: ClosedSearch,
): { places: ClosedPlaces; lines: string[] } | undefined {
  if (!measured || !closed) return undefined
  const places = findClosedInMeasurement(measured, closed, search)
  return { places, lines: describeClosed(places) }
}

const describeClosed = ({ files, folders, all }: ClosedPlaces): string[] => [
  ...[...files, ...folders].map((path) => `${path} is closed by a permission rule`),
  ...(all ? [] : ['only some files were compared with permission rules; shell.searchLimit allows more']),
]

const describeLimit = (limit: number) =>
  `only ${limit} directories were searched for secrets and protected places; shell.searchLimit allows more`

/**
 * Returns true for a directory in which every user may write. Files of other programs in it are left alone.
 */
const isShared = (folder: string) => ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0

/** Returns the directories to skip in comparisons: unseen by commands, or written by Anode. */
export const apartFrom = (ownFolders: readonly string[], directory: string, hidden: readonly string[]) => [
  ...ownFolders,
  dirname(directory),
  ...hidden,
  ...kernelFolders,
]
