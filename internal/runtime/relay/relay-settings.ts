// Settings of the relay, which sends questions to the user on another device, from a flag or
// the user's configuration.
import type { AnodeConfig } from '../../config/schema.ts'

export type RelaySettings = NonNullable<NonNullable<AnodeConfig['approvals']>['relay']>
