// MCP resources with results of checks in the workspace: proofs, comparisons, and claims of studies.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError, UserError } from '../../base/errors.ts'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import type { OfferedResource } from '../../mcp-server/surface.ts'
import type { StoredProof } from '../../tool/verification.ts'
import { proofsFolder } from '../features/workspace-proof.ts'
import { verifyStoredStudy } from '../features/workspace-studies.ts'
import { withComparisons } from '../research/comparison-runtime.ts'

interface VerifySources {
  workspace: string
  data: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

const maxListed = 100
const mimeType = 'application/json'
const asJson = (value: unknown) => ({ mimeType, text: JSON.stringify(value, null, 2) })

/** Returns the latest 100 proofs and the latest 100 comparisons, each latest first. */
export async function listVerified(sources: VerifySources): Promise<OfferedResource[]> {
  const proofs = (await readProofs(sources)).map(({ id, state, checks }) => ({
    uri: `anode://proofs/${id}`,
    name: `${state}: ${[...new Set(checks.map(({ command }) => command))].join(', ')}`,
    description: 'Receipt of a check',
    mimeType,
  }))
  const comparisons = (await readComparisons(sources)).map(({ id, verdict, command }) => ({
    uri: `anode://compare/${id}`,
    name: `${verdict}: ${command}`,
    description: 'Comparison of two commits',
    mimeType,
  }))
  return [...proofs.slice(0, maxListed), ...comparisons.slice(0, maxListed)]
}

/** Returns the resource, or undefined for an unknown URI and for a resource that does not exist. */
export async function readVerified(sources: VerifySources, uri: string) {
  const [, proof, comparison, study] =
    /^anode:\/\/(?:proofs\/([0-9a-f]{8})|compare\/([0-9a-f]{8})|studies\/([\w-]+)\/claims)$/.exec(uri) ?? []
  if (proof !== undefined) {
    const storedProof = (await readProofs(sources)).find(({ id }) => id === proof)
    return storedProof && asJson(storedProof)
  }
  if (comparison !== undefined) {
    const storedComparison = (await readComparisons(sources)).find(({ id }) => id === comparison)
    return storedComparison && asJson(storedComparison)
  }
  if (study === undefined) return undefined
  return verifyStoredStudy(sources, study).then(asJson, ignoreFailures)
}

async function readProofs({ data, workspace }: VerifySources): Promise<StoredProof[]> {
  const dir = proofsFolder(data, workspace)
  const names = (await readdir(dir).catch(ignoreCodes('ENOENT'))) ?? []
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')))
  const proofs = texts.map((text) => JSON.parse(text) as StoredProof)
  return proofs.sort((a, b) => b.timestamp.localeCompare(a.timestamp))
}

async function readComparisons({ workspace: cwd, env, signal }: VerifySources) {
  const note = () => undefined
  const comparisons = await withComparisons({ cwd, env, signal, note }, (one) => one.list()).catch(
    ignoreFailures,
  )
  return comparisons ?? []
}

/**
 * Returns undefined for a FailureError or UserError, because the resource does not exist without a repository
 * or with an unknown id. Rethrows other errors.
 */
function ignoreFailures(error: unknown): undefined {
  if (error instanceof FailureError || error instanceof UserError) return undefined
  throw error
}
