// Permissions (scopes) that the server gives to the page.
import type { AccessScope } from '../server/http/access-tokens.ts'

export type PageScopes = readonly AccessScope[]
