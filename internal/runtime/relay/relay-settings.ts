// Which relay a session has: the one of a flag, else the one of the person's configuration.
import type { AnodeConfig } from '../../config/schema.ts'

type ApprovalSettings = NonNullable<AnodeConfig['approvals']>
export type RelaySettings = NonNullable<ApprovalSettings['relay']>

/** Undefined where there is none. */
export function chooseRelay(
  flag: RelaySettings | undefined,
  config: Pick<AnodeConfig, 'approvals'>,
): RelaySettings | undefined {
  return flag ?? config.approvals?.relay
}
