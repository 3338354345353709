// Access of tools to the verification capability of their session, which offers proofs,
// comparisons and studies.
import type { Ctx } from '../tool/ctx.ts'
import type { VerificationCapability } from '../tool/verification.ts'

export const hasVerification = ({ can }: Ctx): true | string =>
  can.records.verification ? true : 'nothing can be verified in this session'

/** Opens the verification capability. Call it only if `hasVerification` returns true. */
export const openVerification = ({ can }: Ctx): Promise<VerificationCapability> =>
  (can.records.verification as () => Promise<VerificationCapability>)()
