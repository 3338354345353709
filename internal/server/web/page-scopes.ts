// What the token of the page may do.
import type { AccessScope } from '../http/access-tokens.ts'

export type PageScopes = readonly AccessScope[]
