// A proof for the workspace of a user: the sandbox and the temporary directory around the check.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { type ProofReceipt, proveCommands, type RunCheck } from '../../proof/prove.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { runShellCommand } from '../../tool-support/shell-command.ts'
import { type DirectCallOptions, openDirectCalls } from '../calls/direct-call.ts'

export interface ProveOptions extends Pick<DirectCallOptions, 'cwd' | 'env' | 'signal' | 'sandbox'> {
  commands: readonly string[]
  base: string
  allow: readonly string[]
  timeoutMs: number
  note(text: string): void
}

/** The receipt, and the sandbox of its checks. `none`: they ran with the rights of the user. */
export type WorkspaceProof = ProofReceipt & { sandbox: 'bubblewrap' | 'seatbelt' | 'none' }

/** Largest output of a check in a receipt, in lines and characters. */
const maxLines = 60
const maxChars = 4096

/** Proves the commands in the workspace. Throws UserError if they cannot be proven or refuted here. */
export async function proveWorkspace(options: ProveOptions): Promise<WorkspaceProof> {
  const { cwd, env, signal, sandbox } = options
  const session = await openDirectCalls({
    cwd,
    env,
    signal,
    sandbox,
    mode: 'ask',
    addDirs: [],
    terminal: undefined,
    approval: 'none',
    record: 'changes',
    names: ['bash'],
    single: true,
  })
  const { ctx } = session
  const parent = join(dataDir(env), 'proof')
  makeDirectory(parent, 0o700)
  const folder = await mkdtemp(join(parent, 'p-'))
  try {
    let isSandboxed = true
    const check: RunCheck = async (command, dir, linked) => {
      const result = await runCheck(command, contextIn(ctx, dir, linked), options)
      isSandboxed &&= result.isSandboxed
      for (const text of result.notes) options.note(text)
      return result.outcome
    }
    const run = ctx.can.processes.run as RunCommand
    const proof = await proveCommands({ ...options, workspace: ctx.cwd, folder, run, check })
    const kind = process.platform === 'darwin' ? 'seatbelt' : 'bubblewrap'
    return { ...proof, sandbox: isSandboxed ? kind : 'none' }
  } finally {
    await rm(folder, { recursive: true, force: true })
    await session.close()
  }
}

/** Returns the context for a command in another directory, which is then its workspace. */
function contextIn(ctx: Ctx, dir: string, linked: readonly string[]): Ctx {
  if (dir === ctx.cwd) return ctx
  const { roots } = ctx.policy
  const moved = { ...roots, workspace: dir, added: [...roots.added, ...linked] }
  return { ...ctx, cwd: dir, policy: { ...ctx.policy, roots: moved } }
}

async function runCheck(command: string, ctx: Ctx, { timeoutMs }: ProveOptions) {
  const order = { command, dir: ctx.cwd, timeoutMs, apart: true }
  const { outcome, output, sandbox } = await runShellCommand(order, ctx)
  const { exit, ms, ended } = outcome
  const refused = outcome.sandbox?.refused ?? []
  return {
    isSandboxed: outcome.sandbox !== undefined,
    notes: outcome.sandbox ? [] : sandbox,
    outcome: {
      // a check that the runner ended has not passed
      exit: ended === undefined ? exit : null,
      ms: Math.round(ms),
      output: output.trimEnd().split('\n').slice(-maxLines).join('\n').slice(-maxChars),
      ended,
      refused: refused.length > 0 ? refused : undefined,
    },
  }
}
