// Decision whether commands pass on the current tree, and also with the original tests.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError, UserError } from '../base/errors.ts'
import { pathFits } from '../policy/rules/rule-match.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { BaseMemory, ListTree } from './base-files.ts'
import { adviseCommand } from './check-command.ts'
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

/** How one command of a check ended. */
export interface CheckOutcome {
  exit: number | null
  ms: number
  /** The last lines of the command's output. */
  output: string
  /** Why the command did not end by itself; undefined if it did. */
  ended: 'timeout' | 'cancelled' | undefined
  /** Accesses that the sandbox of the command refused, each in a few words. */
  refused: readonly string[] | undefined
}

/** Runs a command in the directory `dir`. `linked` are further directories that the command may use. */
export type RunCheck = (command: string, dir: string, linked: readonly string[]) => Promise<CheckOutcome>

interface ProofCheck extends CheckOutcome {
  command: string
  /** `restored`: the command ran in a checkout with the original tests. `kept`: it ran in the workspace. */
  originals: 'kept' | 'restored'
}

/**
 * The reason why a check proves nothing. `failed`: a command failed. `tampered`: the definition of the check
 * changed. `check_changed`: the commands pass only with changed tests. `unstable`: the commands change
 * tracked files each time.
 */
type UnprovenReason = 'failed' | 'tampered' | 'check_changed' | 'unstable'

/**
 * The receipt of a check, which records its result. `changed` lists files, and parts of files, that are new
 * or no longer have their original content, without those that the task may change. `allowed` lists these.
 */
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
  /** Globs of files that the task may change although they belong to the check. */
  allow: readonly string[]
  /** Existing directory outside the workspace, for the checkout and the original files. */
  folder: string
  /** Starts git and other programs. */
  run: RunCommand
  check: RunCheck
  /**
   * Identities of files that earlier proofs have computed and that are still valid. Default:
   * nothing is reused.
   */
  known?: FileMemory
  /** True if a command that cannot start counts as a failed check. Default: it is an error. */
  mayNotStart?: boolean
  /** An earlier pass of the same commands in the workspace, which counts if the files are still the same. */
  passed?: EarlierPass | undefined
}

export interface EarlierPass {
  /** Identity of the files after the commands. */
  tree: string
  checks: readonly ProofCheck[]
}

/**
 * Runs the commands on the current tree, up to the first failure, unless the definition of the check changed
 * since the commit `base`. If they pass with changed tests, runs them again with the original tests. Throws
 * UserError if the commit is unknown, or if a command cannot start and `mayNotStart` is not set.
 */
export async function proveCommands(
  request: ProofRequest & { base: string; packages: PackageRecord; bases?: BaseMemory },
): Promise<ProofReceipt> {
  return proveSealed(request, await sealCommit(request))
}

/**
 * Runs the commands on the current tree, up to the first failure, and compares the files that the check uses
 * with their original state in `seal`. If they pass with changed tests, runs them again with the original
 * tests. Throws UserError if a command cannot start and `mayNotStart` is not set.
 */
export async function proveSealed(baseRequest: ProofRequest, seal: CheckSeal): Promise<ProofReceipt> {
  const request = { ...baseRequest, known: baseRequest.known ?? new Map() }
  const { workspace, known: knownIdentities } = request
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
      tree: whole ?? (await identifyFiles(workspace, await list('all'), knownIdentities)),
      checks,
      sealed,
      changed,
      allowed: [...allowed].sort(),
    }
  }
  const findTampered = async () => permit(await seal.findChanged())

  changed = await findTampered()
  if (changed.length > 0) return finish('tampered')
  const first = (await readPassed(request, list, checks)) ?? (await runUntilStable(request, list, checks))
  if (typeof first === 'string') return finish(first)
  changed = await findTampered()
  if (changed.length > 0) return finish('tampered')
  const [paths, ignored] = await Promise.all([list('all'), list('ignored')])
  const edited = await findEdits(base, workspace, { paths: [...paths, ...ignored], permit })
  changed = [...edited.originals, ...edited.added].sort()
  // No file differs from the original, so the commands need no second run with the original files. The
  // identities that were read before are still current.
  if (changed.length === 0)
    return finish(undefined, joinIdentities(await readIdentities(workspace, paths, knownIdentities, first)))
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

/** Returns an identity of all current files of the workspace, without those that git ignores. */
export const identifyTree = async (workspace: string, list: ListTree, memory?: FileMemory): Promise<string> =>
  identifyFiles(workspace, await list('all'), memory)

/**
 * Adds the commands of an earlier pass on the same files to `checks`. Returns the identities of the files, or
 * undefined without such a pass or if the files have changed since.
 */
async function readPassed(
  { passed, workspace, known: knownIdentities }: ProofRequest,
  list: ListTree,
  checks: ProofCheck[],
): Promise<ReadonlyMap<string, string> | undefined> {
  if (!passed) return undefined
  const identities = await readIdentities(workspace, await list('all'), knownIdentities)
  if (joinIdentities(identities) !== passed.tree) return undefined
  checks.push(...passed.checks)
  return identities
}

/**
 * Returns the original files that were changed or removed, and the new files that configure a test runner,
 * without those that `permit` leaves out.
 */
async function findEdits(
  base: FileTree,
  workspace: string,
  { paths, permit }: { paths: readonly string[]; permit: (names: readonly string[]) => string[] },
) {
  const basePaths = new Set(base.paths)
  const originals = await findChangedFiles(base.paths.filter(isOriginalFile), base.dir, workspace)
  const added = paths.filter((path) => !basePaths.has(path) && isSetupFile(path))
  return { originals: permit(originals), added: permit(added) }
}

/**
 * Runs the commands, and once more if they changed tracked files. Returns the identities of these files after
 * the last run, or the reason why the commands prove nothing.
 */
async function runUntilStable(
  request: ProofRequest,
  list: ListTree,
  checks: ProofCheck[],
): Promise<UnprovenReason | ReadonlyMap<string, string>> {
  const { workspace, known: knownIdentities } = request
  const tracked = await list('tracked')
  let before = await identifyFiles(workspace, tracked, knownIdentities)
  for (let attempt = 1; attempt <= 2; attempt++) {
    if (!(await runAll(request, checks, { dir: workspace, linked: [], originals: 'kept' }))) return 'failed'
    const identities = await readIdentities(workspace, tracked, knownIdentities)
    const after = joinIdentities(identities)
    if (after === before) return identities
    before = after
  }
  return 'unstable'
}

/**
 * Runs the commands in order, up to the first failure. Returns true if all passed. Throws UserError if a
 * command cannot start in the workspace, unless `mayNotStart` is set.
 */
async function runAll(
  { commands, workspace, check, mayNotStart }: ProofRequest,
  checks: ProofCheck[],
  { dir, linked, originals }: { dir: string; linked: readonly string[] } & Pick<ProofCheck, 'originals'>,
): Promise<boolean> {
  for (const command of commands) {
    const outcome = await check(command, dir, linked).catch((error: unknown) => {
      throw mayNotStart ? error : asUserError(error)
    })
    checks.push({ command, ...outcome, originals })
    if (!mayNotStart && originals === 'kept' && (outcome.exit === 126 || outcome.exit === 127))
      throw cannotStart(command, outcome, workspace)
    if (outcome.exit !== 0) return false
  }
  return true
}

/**
 * Converts the error of a sandbox that cannot be built to a UserError, because nothing has run yet. Returns
 * any other error unchanged.
 */
function asUserError(error: unknown): unknown {
  if (!(error instanceof FailureError) || error.failure.code !== 'unavailable') return error
  const { message, hint } = error.failure
  return new UserError(message, { hint })
}

function cannotStart(command: string, { exit, output }: CheckOutcome, workspace: string): UserError {
  const [last = ''] = output.trim().split('\n').slice(-1)
  const why = last === '' ? '' : `: ${last}`
  return new UserError(`the check cannot start: ${command} (exit ${exit})${why}`, {
    hint: adviseCommand(workspace),
  })
}

/** Returns true if a glob in `allow` matches a changed part. The part is then added to `allowed`. */
function isAllowed(allow: readonly string[], part: string, allowed: Set<string>): boolean {
  const path = pathOfPart(part)
  const fits = allow.some((glob) => pathFits(glob, path, false))
  if (fits) allowed.add(part)
  return fits
}
