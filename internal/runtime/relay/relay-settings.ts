// The settings of a relay, as a flag or the user's configuration gives them.
import type { AnodeConfig } from '../../config/schema.ts'

export type RelaySettings = NonNullable<NonNullable<AnodeConfig['approvals']>['relay']>
