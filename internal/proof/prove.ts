// The verdict on commands: whether they pass on the tree as it is, and with the original tests.
import { join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { pathFits } from '../policy/rules/rule-pattern.ts'
import type { RunCommand } from '../process/process-command.ts'
import { listTree, writeBaseFiles } from './base-files.ts'
import { type FileTree, findChangedParts, pathOfPart, resolveDefinition } from './check-definition.ts'
import { isOriginalFile, isSetupFile } from './check-files.ts'
import { createOriginalCheckout } from './original-checkout.ts'
import { findChangedFiles, identifyFiles } from './tree-state.ts'

/** The end of one command of a check. */
interface CheckOutcome {
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
  /** Revision of the original tests. */
  base: string
  /** Globs of files that may change. */
  allow: readonly string[]
  /** Existing directory outside the workspace, for the original files. */
  folder: string
  /** Starts git. */
  run: RunCommand
  check: RunCheck
}

/**
 * Runs the commands on the tree as it is, up to the first failure. If tests changed since `base`, the
 * commands run again with the original tests. Throws UserError if a command cannot start.
 */
export async function proveCommands(request: ProofRequest): Promise<ProofReceipt> {
  const { commands, workspace, run } = request
  const base = await writeBaseFiles(request)
  const sealed = await resolveDefinition(commands, base)
  const checks: ProofCheck[] = []
  const allowed = new Set<string>()
  let changed: string[] = []
  const permit = (names: readonly string[]) =>
    names.filter((name) => !isAllowed(request.allow, name, allowed))
  const tree = async () => identifyFiles(workspace, await listTree(run, workspace, 'all'))
  const finish = async (reason?: UnprovenReason): Promise<ProofReceipt> => ({
    state: reason === undefined ? 'proven' : 'unproven',
    reason,
    tree: await tree(),
    checks,
    sealed,
    changed,
    allowed: [...allowed].sort(),
  })
  const findTampered = async () => permit(await findChangedParts(sealed, base.dir, workspace))

  changed = await findTampered()
  if (changed.length > 0) return finish('tampered')
  const first = await runUntilStable(request, checks)
  if (first !== undefined) return finish(first)
  changed = await findTampered()
  if (changed.length > 0) return finish('tampered')
  const paths = await listTree(run, workspace, 'all')
  const ignored = await listTree(run, workspace, 'ignored')
  const edited = await findEdits(base, workspace, { paths: [...paths, ...ignored], permit })
  changed = [...edited.originals, ...edited.added].sort()
  if (changed.length === 0) return finish()
  const to = join(request.folder, 'checkout')
  const removed = new Set(edited.added)
  const restore = { workspace, paths, ignored, base, originals: edited.originals, removed, to }
  const linked = await createOriginalCheckout(restore)
  const passes = await runAll(request, checks, { dir: to, linked, originals: 'restored' })
  return finish(passes ? undefined : 'check_changed')
}

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

/** Runs the commands, and once more if they changed tracked files. */
async function runUntilStable(
  request: ProofRequest,
  checks: ProofCheck[],
): Promise<UnprovenReason | undefined> {
  const { workspace, run } = request
  const tracked = await listTree(run, workspace, 'tracked')
  let before = await identifyFiles(workspace, tracked)
  for (let attempt = 1; attempt <= 2; attempt++) {
    if (!(await runAll(request, checks, { dir: workspace, linked: [], originals: 'kept' }))) return 'failed'
    const after = await identifyFiles(workspace, tracked)
    if (after === before) return undefined
    before = after
  }
  return 'unstable'
}

/** Runs the commands in order. Returns whether all passed. */
async function runAll(
  { commands, check }: ProofRequest,
  checks: ProofCheck[],
  { dir, linked, originals }: { dir: string; linked: readonly string[] } & Pick<ProofCheck, 'originals'>,
): Promise<boolean> {
  for (const command of commands) {
    const outcome = await check(command, dir, linked)
    checks.push({ command, ...outcome, originals })
    if (originals === 'kept' && (outcome.exit === 126 || outcome.exit === 127))
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
