// Text for users about the rights of commands that run without a sandbox on this machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { createRunner } from '../../process/run-command.ts'
import { examineSandbox } from '../../runtime/processes/session-sandbox.ts'
import { readWorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { SandboxMode } from '../../sandbox/sandbox.ts'

/** Text about the commands that run with all rights of the user without a sandbox. */
export const unconfinedRights =
  'approved commands run with all your rights, and so do tests and builds of trusted workspaces; these run ' +
  'without approval only until the agent may have changed files, then Anode asks once per session'

/**
 * Returns in one sentence why commands run without a sandbox, and what they may do then. Undefined if they
 * run in a sandbox, and in mode `require`, in which they never run outside of one.
 */
export async function describeUnconfined(
  cwd: string,
  env: EnvironmentVariables,
): Promise<string | undefined> {
  const mode: SandboxMode = (await readWorkspaceContext(cwd, env)).loaded.config.sandbox ?? 'auto'
  if (mode === 'off') return `The sandbox is off: ${unconfinedRights}.`
  if (mode === 'require') return undefined
  // the runner uses a temporary directory, so that the sandbox can be checked even if the data
  // directory is unusable
  const spare = mkdtempSync(join(tmpdir(), 'anode-sandbox-'))
  const runner = createRunner({ dataDir: spare, env })
  try {
    const { support } = await examineSandbox({ data: dataDir(env), env, run: runner.run })
    return support.kind === 'none' ? `No sandbox works on this machine: ${unconfinedRights}.` : undefined
  } finally {
    await runner.close()
    rmSync(spare, { recursive: true, force: true })
  }
}
