// Access of tools to proofs, comparisons and studies of a workspace.
import type { ExperimentLocation } from '../../runtime/features.ts'
import type { VerificationCapability } from '../../tool/verification.ts'
import { checkQuotes } from './quote-check.ts'
import { compareTrees, proveTree } from './workspace-proof.ts'
import { awaitStoredStudy, startStudyProcess, verifyStoredStudy } from './workspace-studies.ts'

export function openVerification(location: ExperimentLocation): VerificationCapability {
  return {
    prove: (...order) => proveTree(location, ...order),
    compare: (...order) => compareTrees(location, ...order),
    verifyText: (...order) => checkQuotes(location.workspace, ...order),
    verifyStudy: (id) => verifyStoredStudy(location, id),
    startStudy: (...order) => startStudyProcess(location, ...order),
    awaitStudy: (...order) => awaitStoredStudy(location, ...order),
  }
}
