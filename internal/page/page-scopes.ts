// Permissions (scopes) of the token with which the page was opened.
import type { AccessScope } from '../server/http/access-tokens.ts'

export type PageScopes = readonly AccessScope[]
