// What the token of the page may do.
import type { AccessScope } from '../server/http/access-tokens.ts'

export type PageScopes = readonly AccessScope[]
