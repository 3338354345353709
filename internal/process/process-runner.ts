// The starter of Anode's child processes, which all end here, at the latest with this process.

import type { EnvironmentVariables } from '../base/environment.ts'
import { ChildOwner } from './child-owner.ts'
import type { StartContext } from './child-start.ts'
import { spawnOwned } from './owned-process.ts'
import type { OpenTerminal } from './owned-terminal.ts'
import type { ProcessSandbox, RunCommand, SpawnProcess } from './process-command.ts'
import { runCommand } from './run-command.ts'

export interface ProcessRunner {
  run: RunCommand
  spawn: SpawnProcess
  terminal: OpenTerminal
  /**
   * Runs `work`, which starts processes, and returns its result. `close` aborts the signal `closing` and
   * waits for the work.
   */
  perform<T>(work: (context: StartContext, closing: AbortSignal) => Promise<T>): Promise<T>
  /** Gives processes less time between TERM and KILL, because the user waits for their end. */
  hurry(): void
  /**
   * Ends running processes as cancelled. Removes the directory of this process for its children, and the
   * watchdog that would end them after a crash. Later starts fail as cancelled.
   */
  close(): Promise<void>
}

export interface RunnerOptions {
  /** Data directory. Its directory `run/` contains only the records and output files of living processes. */
  dataDir: string
  /** Environment from which the allow list selects the variables for children. */
  env: EnvironmentVariables
  /**
   * Names, or prefixes ending in `*`, of variables that children get although they are not on the list or
   * look like secrets.
   */
  keep?: readonly string[]
  sandbox?: ProcessSandbox
  /**
   * Resources for the children of several runners. Default: resources of this runner, which `close` removes.
   * A shared owner stays open, and its children do not share their TMPDIR with those of other runners.
   */
  owner?: ChildOwner | undefined
}

/** Creates a runner, which uses no resources until the first command. */
export function createRunner(options: RunnerOptions): ProcessRunner {
  const { dataDir, env, keep = [], sandbox, owner = new ChildOwner(dataDir) } = options
  const temporary = options.owner ? `tmp-${owner.number()}` : 'tmp'
  const context: StartContext = { owner, env, keep, sandbox, temporary }
  const closing = new AbortController()
  const live = new Set<Promise<unknown>>()

  const track = <T>(work: Promise<T>): Promise<T> => {
    const entry: Promise<unknown> = work.catch(() => undefined).finally(() => live.delete(entry))
    live.add(entry)
    return work
  }
  return {
    run: (command) => track(runCommand(context, command, closing.signal)),
    spawn: (command) => track(spawnOwned(context, command, closing.signal)),
    terminal: async (command) => {
      const { spawnTerminal } = await import('./owned-terminal.ts')
      const terminal = await track(spawnTerminal(context, command, closing.signal))
      void track(terminal.gone)
      return terminal
    },
    perform: (work) => track(work(context, closing.signal)),
    hurry: () => context.owner.haste.hurry(),
    async close() {
      closing.abort()
      await Promise.all(live)
      await (options.owner ? owner.remove(temporary) : owner.close())
    },
  }
}
