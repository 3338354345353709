// The verdict on commands: whether they pass on the tree as it is, and with the original tests.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { pathFits } from '../policy/rules/rule-pattern.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { ListTree } from './base-files.ts'
import { type FileTree, pathOfPart } from './check-definition.ts'
import { isOriginalFile, isSetupFile } from './check-files.ts'
import { createOriginalCheckout } from './original-checkout.ts'
import type { PackageRecord } from './package-record.ts'
import { type CheckSeal, sealCommit } from './seal.ts'
import {
  type FileMemory,
  findChangedFiles,
  identifyFiles,
  joinIdentities,
  readIdentities,
} from './tree-state.ts'

/** The end of one command of a check. */
export interface CheckOutcome {
  exit: number | null
  ms: number
  /** The last lines of its output. */
  output: string
  /** Reason why it did not end by itself. */
  ended: 'timeout' | 'cancelled' | undefined
  /** Accesses that the sandbox refused. */
  refused: readonly string[] | undefined
}

/** Runs a command in a directory. `linked` are further directories that it may use. */
export type RunCheck = (command: string, dir: string, linked: readonly string[]) => Promise<CheckOutcome>

interface ProofCheck extends CheckOutcome {
  command: string
  /** `restored`: it ran in a checkout with the original tests. */
  originals: 'kept' | 'restored'
}

/**
 * `failed`: a command failed. `tampered`: the definition of the check changed. `check_changed`: it passes
 * only with changed tests. `unstable`: it changes tracked files each time.
 */
type UnprovenReason = 'failed' | 'tampered' | 'check_changed' | 'unstable'

/** The receipt of a check. `changed` and `allowed` contain files and parts of files. */
export interface ProofReceipt {
  state: 'proven' | 'unproven'
  reason: UnprovenReason | undefined
  tree: string
  checks: ProofCheck[]
  sealed: readonly string[]
  changed: readonly string[]
  allowed: readonly string[]
}

interface ProofRequest {
  commands: readonly string[]
  workspace: string
  /** Globs of files that may change. */
  allow: readonly string[]
  /** Existing directory outside the workspace, for the checkout and the original files. */
  folder: string
  /** Starts git. */
  run: RunCommand
  check: RunCheck
  /** Identities of files from earlier proofs. Default: those of this proof. */
  known?: FileMemory
  /** Whether a command that cannot start is a failed check. Default: it is an error. */
  mayNotStart?: boolean
}

/**
 * Runs the commands on the tree as it is, up to the first failure. If tests changed since the commit `base`,
 * the commands run again with the original tests. Throws UserError if a command cannot start.
 */
export async function proveCommands(
  request: ProofRequest & { base: string; packages: PackageRecord },
): Promise<ProofReceipt> {
  return proveSealed(request, await sealCommit(request))
}

/** Proves the commands as `proveCommands` does, against the state of a seal. */
export async function proveSealed(asked: ProofRequest, seal: CheckSeal): Promise<ProofReceipt> {
  const request = { ...asked, known: asked.known ?? new Map() }
  const { workspace, known } = request
  const { base, sealed, list } = seal
  const checks: ProofCheck[] = []
  const allowed = new Set<string>()
  let changed: string[] = []
  const permit = (names: readonly string[]) =>
    names.filter((name) => !isAllowed(request.allow, name, allowed))
  const finish = async (reason?: UnprovenReason, whole?: string): Promise<ProofReceipt> => {
    if (reason === undefined) await seal.recordPackages()
    return {
      state: reason === undefined ? 'proven' : 'unproven',
      reason,
      tree: whole ?? (await identifyFiles(workspace, await list('all'), known)),
      checks,
      sealed,
      changed,
      allowed: [...allowed].sort(),
    }
  }
  const findTampered = async () => permit(await seal.findChanged())

  changed = await findTampered()
  if (changed.length > 0) return finish('tampered')
  const first = await runUntilStable(request, list, checks)
  if (typeof first === 'string') return finish(first)
  changed = await findTampered()
  if (changed.length > 0) return finish('tampered')
  const paths = await list('all')
  const ignored = await list('ignored')
  const edited = await findEdits(base, workspace, { paths: [...paths, ...ignored], permit })
  changed = [...edited.originals, ...edited.added].sort()
  // no command has run since the tracked files were read
  if (changed.length === 0)
    return finish(undefined, joinIdentities(await readIdentities(workspace, paths, known, first)))
  const to = join(request.folder, 'checkout')
  const removed = new Set(edited.added)
  const restore = { workspace, paths, ignored, base, originals: edited.originals, removed, to }
  try {
    const linked = await createOriginalCheckout(restore)
    const passes = await runAll(request, checks, { dir: to, linked, originals: 'restored' })
    return await finish(passes ? undefined : 'check_changed')
  } finally {
    await rm(to, { recursive: true, force: true })
  }
}

/** Returns the identity of all files of the tree as it is, without ignored ones. */
export const identifyTree = async (workspace: string, list: ListTree): Promise<string> =>
  identifyFiles(workspace, await list('all'))

/** Returns the original files that changed, and the new files that configure the runner. */
async function findEdits(
  base: FileTree,
  workspace: string,
  { paths, permit }: { paths: readonly string[]; permit: (names: readonly string[]) => string[] },
) {
  const known = new Set(base.paths)
  const originals = await findChangedFiles(base.paths.filter(isOriginalFile), base.dir, workspace)
  const added = paths.filter((path) => !known.has(path) && isSetupFile(path))
  return { originals: permit(originals), added: permit(added) }
}

/**
 * Runs the commands, and once more if they changed tracked files. Returns the identities of these files after
 * the last run, or why the commands prove nothing.
 */
async function runUntilStable(
  request: ProofRequest,
  list: ListTree,
  checks: ProofCheck[],
): Promise<UnprovenReason | ReadonlyMap<string, string>> {
  const { workspace, known } = request
  const tracked = await list('tracked')
  let before = await identifyFiles(workspace, tracked, known)
  for (let attempt = 1; attempt <= 2; attempt++) {
    if (!(await runAll(request, checks, { dir: workspace, linked: [], originals: 'kept' }))) return 'failed'
    const identities = await readIdentities(workspace, tracked, known)
    const after = joinIdentities(identities)
    if (after === before) return identities
    before = after
  }
  return 'unstable'
}

/** Runs the commands in order. Returns whether all passed. */
async function runAll(
  { commands, check, mayNotStart }: ProofRequest,
  checks: ProofCheck[],
  { dir, linked, originals }: { dir: string; linked: readonly string[] } & Pick<ProofCheck, 'originals'>,
): Promise<boolean> {
  for (const command of commands) {
    const outcome = await check(command, dir, linked)
    checks.push({ command, ...outcome, originals })
    if (!mayNotStart && originals === 'kept' && (outcome.exit === 126 || outcome.exit === 127))
      throw new UserError(`the check cannot start: ${command} (exit ${outcome.exit})`, {
        hint: outcome.output.trim().split('\n').at(-1) ?? '',
      })
    if (outcome.exit !== 0) return false
  }
  return true
}

/** Returns whether a glob allows a change, and records the change if so. */
function isAllowed(allow: readonly string[], part: string, allowed: Set<string>): boolean {
  const path = pathOfPart(part)
  const fits = allow.some((glob) => pathFits(glob, path, false))
  if (fits) allowed.add(part)
  return fits
}
