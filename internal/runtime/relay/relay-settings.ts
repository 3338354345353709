// Type of the settings of the relay, which sends questions to the user on another device.
import type { AnodeConfig } from '../../config/schema.ts'

export type RelaySettings = NonNullable<NonNullable<AnodeConfig['approvals']>['relay']>
