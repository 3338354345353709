// What one running Anode holds for its children: a directory, a watchdog, a stock of pipes, the marker they
// carry.
import { rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUpDeadProcesses } from './dead-runs.ts'
import { limitMarkOf, withLimitMark } from './limit-mark.ts'
import { makePipes, type PipeStock } from './output/child-pipes.ts'
import type { SpawnPlan } from './process-command.ts'
import { killProcessFamily } from './process-family.ts'
import {
  makeRunDirectory,
  noteChild,
  ownRunIdentity,
  processStartTime,
  type RunIdentity,
  removeTemporaryDirectory,
} from './run-directory.ts'
import { hasProc } from './table/proc.ts'
import { startWatchdog, type Watchdog } from './watchdog.ts'

/**
 * Programs that start no others are mostly over before a watchdog would be up: it comes when one takes
 * longer. One that is orphaned before then ends with its work, at the latest at the next start of Anode.
 */
const shortMs = 500

/**
 * A resource: everything is made with the first child; `close` ends all children and removes what was made.
 */
export class ChildOwner {
  readonly #dataDir: string
  #here: RunIdentity | undefined
  #directory: Promise<string> | undefined
  #watchdog: Watchdog | undefined
  #late: NodeJS.Timeout | undefined
  #pipes: PipeStock | undefined
  #count = 0
  /** Whether a child may have started others. */
  #hasFamilies = false
  /** Whether children carry their mark as a limit, too. */
  #hasLimits = false

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  get #place(): RunIdentity {
    this.#here ??= ownRunIdentity()
    return this.#here
  }

  /** The directory for files of this run, made on first use; what dead runs left is removed before. */
  async ready(needs: { piped: boolean; childless: boolean }): Promise<{
    directory: string
    pipes: PipeStock | undefined
  }> {
    this.#directory ??= cleanUpDeadProcesses(this.#dataDir).then(() =>
      makeRunDirectory(this.#dataDir, this.#place),
    )
    const directory = await this.#directory
    if (needs.piped) this.#pipes ??= makePipes(directory)
    this.#hasFamilies ||= !needs.childless
    // without /proc it has to be told of every child
    if (!needs.childless || !hasProc()) this.#guard(directory)
    else this.#late ??= setTimeout(() => this.#guard(directory), shortMs).unref()
    return { directory, pipes: this.#pipes }
  }

  #guard(directory: string): void {
    clearTimeout(this.#late)
    this.#late = undefined
    this.#watchdog ??= startWatchdog(`${this.#place.id}.`, directory, () => {
      this.#watchdog = undefined
    })
  }

  /** A number that no other child of this run has. */
  number(): number {
    return ++this.#count
  }

  /** What the environment of child `n` and of all that it starts holds. */
  mark(n: number): string {
    return `${this.#place.id}.${n}.`
  }

  /** The plan of child `n` with its mark as a limit, where that is possible. */
  limit(plan: SpawnPlan, n: number): { plan: SpawnPlan; limit?: string } {
    const limited = withLimitMark(plan, this.mark(n))
    this.#hasLimits ||= limited !== undefined
    return limited ?? { plan }
  }

  /** Notes a started child; the returned function takes the note back. */
  note(directory: string, pid: number): { start: number | undefined; done: () => void } {
    const start = processStartTime(pid)
    const forget = noteChild(directory, pid, start ?? Math.floor(Date.now() / 1000))
    if (!hasProc()) this.#watchdog?.watch(pid)
    const done = () => {
      forget()
      if (!hasProc()) this.#watchdog?.forget(pid)
    }
    return { start, done }
  }

  async close(): Promise<void> {
    if (this.#directory === undefined) return
    const directory = await this.#directory.catch(() => undefined)
    // where it could not be made no child has begun
    if (directory === undefined) return
    clearTimeout(this.#late)
    // programs that start no others were each waited for
    const mark = `${this.#place.id}.`
    const limit = this.#hasLimits ? limitMarkOf(mark) : undefined
    if (this.#hasFamilies) await killProcessFamily({ mark, limit }, 0)
    await this.#pipes?.idle()
    await this.#watchdog?.dismiss()
    removeTemporaryDirectory(directory)
    remove(directory)
    this.#directory = undefined
    this.#pipes = undefined
  }
}

/** Mostly nothing is left in it; only what is not empty needs the module that removes whole trees. */
function remove(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Name for a file of child `n` inside the directory. */
export const childFile = (directory: string, n: number, what: string): string =>
  join(directory, `${what}.${n}`)
