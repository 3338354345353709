// Proof for the workspace of a user. It runs check commands in the sandbox unless that is off or missing. If
// files of the checks have changed, it runs them again with the original files in a temporary checkout.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { BaseMemory } from '../../proof/base-files.ts'
import { openPackageRecord } from '../../proof/package-record.ts'
import { type EarlierPass, type ProofReceipt, proveCommands } from '../../proof/prove.ts'
import type { FileMemory } from '../../proof/tree-state.ts'
import { createCheckRunner } from '../../runtime/goal/check-runner.ts'
import { type DirectCallOptions, openCommandCalls } from '../calls/direct-call.ts'

export interface ProveOptions
  extends Pick<DirectCallOptions, 'cwd' | 'env' | 'signal' | 'sandbox' | 'sandboxMemory' | 'childOwner'> {
  commands: readonly string[]
  base: string
  allow: readonly string[]
  timeoutMs: number
  /** Hashes of files that earlier proofs have computed. */
  known?: FileMemory
  /** Files of original commits that earlier proofs have written. */
  bases?: BaseMemory
  /**
   * An earlier success of the same commands in this workspace. It replaces a new run if the files are
   * still the same.
   */
  passed?: EarlierPass | undefined
  note(text: string): void
}

/**
 * Result of the checks, and the sandbox in which they ran. `none`: at least one ran with the rights
 * of the user.
 */
export type WorkspaceProof = ProofReceipt & { sandbox: 'bubblewrap' | 'seatbelt' | 'none' }

/**
 * Runs the check commands in the workspace and returns the result. Throws UserError if a result is not
 * possible, for example outside of a repository.
 */
export async function proveWorkspace(options: ProveOptions): Promise<WorkspaceProof> {
  const { cwd, env, signal, sandbox, sandboxMemory, childOwner } = options
  const session = await openCommandCalls({ cwd, env, signal, sandbox, sandboxMemory, childOwner })
  const { ctx } = session
  const data = dataDir(env)
  const parent = join(data, 'proof')
  makeDirectory(parent, 0o700)
  const folder = await mkdtemp(join(parent, 'p-'))
  try {
    const runner = createCheckRunner({ ...options, ctx })
    const { check } = runner
    const run = ctx.can.processes.run as RunCommand
    const packages = openPackageRecord(data, ctx.cwd)
    const place = { workspace: ctx.cwd, folder, packages }
    const proof = await proveCommands({ ...options, ...place, run, check })
    return { ...proof, sandbox: runner.sandbox() }
  } finally {
    await rm(folder, { recursive: true, force: true })
    await session.close()
  }
}
