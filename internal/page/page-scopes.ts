// Permissions of the page's token.
import type { AccessScope } from '../server/http/access-tokens.ts'

export type PageScopes = readonly AccessScope[]
