// The one place that starts child processes: everything started here ends here, at the latest with this process.
import type { Run, Sandbox, Spawn } from './command.ts'
import { Owner } from './owner.ts'
import { runCommand } from './run.ts'
import { spawnOwned } from './spawn.ts'
import type { Ground } from './start.ts'

export interface Runner {
  run: Run
  spawn: Spawn
  /** Ends what still runs, as cancelled, and removes directory and watchdog. Starts after it are refused as cancelled. */
  close(): Promise<void>
}

export interface RunnerOptions {
  /** Data directory; `run/` inside it holds records and spooled output of living processes only. */
  dataDir: string
  /** The environment that the allow list chooses from. */
  env: Readonly<Record<string, string | undefined>>
  /** Names, or prefixes ending in `*`, that children get although they are not on the list or look like secrets. */
  keep?: readonly string[]
  sandbox?: Sandbox
}

/** Costs nothing until the first command. */
export function createRunner(options: RunnerOptions): Runner {
  const { dataDir, env, keep = [], sandbox } = options
  const ground: Ground = { owner: new Owner(dataDir), env, keep, sandbox }
  const closing = new AbortController()
  const live = new Set<Promise<unknown>>()

  const track = <T>(work: Promise<T>): Promise<T> => {
    const entry: Promise<unknown> = work.catch(() => undefined).finally(() => live.delete(entry))
    live.add(entry)
    return work
  }
  return {
    run: (command) => track(runCommand(ground, command, closing.signal)),
    spawn: (command) => track(spawnOwned(ground, command, closing.signal)),
    async close() {
      closing.abort()
      await Promise.all(live)
      await ground.owner.close()
    },
  }
}
