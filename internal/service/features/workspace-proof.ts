// Proofs of a workspace and comparisons of two versions, for tools. If files of the checks have changed, a
// proof runs the checks again with the original files.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { FailureError, UserError, userFailure } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { closedPaths } from '../../policy/closed-paths.ts'
import { openPackageRecord } from '../../proof/package-record.ts'
import { proveCommands, type RunCheck } from '../../proof/prove.ts'
import { openComparisons } from '../../research/compare/comparisons.ts'
import type { ResearchProgress } from '../../research/progress.ts'
import { comparisonLines } from '../../research/report/comparison-lines.ts'
import type { ExperimentLocation } from '../../runtime/features.ts'
import type { ProofOrder, StoredProof, VerificationCapability } from '../../tool/verification.ts'

/** Returns the directory with the proofs of a workspace. */
export const proofsFolder = (data: string, workspace: string): string =>
  join(data, 'proof', 'receipts', fingerprint(workspace).slice(0, 16))

/**
 * Runs the check commands and stores the result as a receipt. Throws FailureError if a result is not possible
 * here, for example without a repository.
 */
export const proveTree = async (
  { workspace, env, run }: ExperimentLocation,
  order: ProofOrder,
  check: Parameters<VerificationCapability['prove']>[1],
  onBegun: (id: string) => void,
): Promise<StoredProof> => {
  const data = dataDir(env)
  const id = randomBytes(4).toString('hex')
  onBegun(id)
  const parent = join(data, 'proof')
  makeDirectory(parent, 0o700)
  const folder = await mkdtemp(join(parent, 'p-'))
  try {
    let areSandboxed = true
    const watched: RunCheck = async (...command) => {
      const { isSandboxed, ...outcome } = await check(...command)
      areSandboxed &&= isSandboxed
      return outcome
    }
    const packages = openPackageRecord(data, workspace)
    const place = { workspace, folder, packages }
    const receipt = await proveCommands({ ...order, ...place, run, check: watched })
    const kind = process.platform === 'darwin' ? 'seatbelt' : 'bubblewrap'
    const sandbox = areSandboxed ? kind : 'none'
    const proof: StoredProof = { id, timestamp: new Date().toISOString(), ...receipt, sandbox }
    const receipts = proofsFolder(data, workspace)
    makeDirectory(receipts, 0o700)
    const text = Buffer.from(`${JSON.stringify(proof, null, 2)}\n`)
    await writeAtomic(join(receipts, `${id}.json`), text, { mode: 0o600 })
    return proof
  } catch (error) {
    throw asFailure(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Returns an error about the user's input as a failure that the model can read, and any
 * other error unchanged.
 */
const asFailure = (error: unknown): unknown =>
  error instanceof UserError ? new FailureError(userFailure(error), error) : error

export const compareTrees = async (
  { workspace, env, run, trusted }: ExperimentLocation,
  ...[request, policy, signal, tell, onBegun]: Parameters<VerificationCapability['compare']>
): ReturnType<VerificationCapability['compare']> => {
  const closed = closedPaths(policy)
  const progress = (event: ResearchProgress) => {
    if (event.kind === 'pair') tell(`${event.phase} ${event.n} of ${event.of}`)
  }
  const place = { cwd: workspace, data: dataDir(env), env, run, trusted, signal, closed, tell: progress }
  try {
    const comparisons = await openComparisons(place)
    const order = {
      ...request,
      metrics: request.metrics.map(readMetric),
      benchFrom: 'base' as const,
      minEffect: 0.01,
      margin: 0.02,
      carry: [],
      env: [],
      seed: 1,
    }
    const record = await comparisons.compare(order, onBegun)
    return { id: record.id, verdict: record.verdict, lines: comparisonLines(record), record }
  } catch (error) {
    throw asFailure(error)
  }
}

function readMetric(text: string) {
  const [, name = '', direction = 'lower'] = /^([A-Za-z0-9_.µ-]{1,64})(?::(lower|higher))?$/.exec(text) ?? []
  if (name === '')
    throw new FailureError({
      code: 'bad_args',
      message: `metrics: "${text}" is not a metric`,
      hint: 'NAME, NAME:lower or NAME:higher',
    })
  return { name, direction: direction as 'lower' | 'higher' }
}
