// Opens the experiments of a workspace for a command, with everything they start ended at the close.
import { configDir, dataDir } from '../../base/dirs.ts'
import { createRunner } from '../../process/runner.ts'
import type { Tell } from '../../research/progress.ts'
import { openResearch, type Research } from '../../research/session.ts'
import { isTrusted } from '../../trust/is-trusted.ts'
import { recoverDead } from '../recover.ts'

export interface ExperimentOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Name of a session; absent: the active one. */
  session?: string
  tell?: Tell
  note(text: string): void
}

/** What `use` may lean on. */
export interface Laboratory {
  research: Research
  options: ExperimentOptions
}

export async function withExperiments<T>(
  options: ExperimentOptions,
  use: (laboratory: Laboratory) => Promise<T>,
): Promise<T> {
  const { cwd, env, signal, session, tell } = options
  const data = dataDir(env)
  for (const note of await recoverDead(data)) options.note(note)
  const runner = createRunner({ dataDir: data, env })
  try {
    const research = await openResearch({
      cwd,
      data,
      env,
      run: runner.run,
      trusted: await isTrusted(cwd, data, configDir(env)),
      signal,
      ...(session !== undefined && { session }),
      ...(tell && { tell }),
    })
    return await use({ research, options })
  } finally {
    await runner.close()
  }
}
