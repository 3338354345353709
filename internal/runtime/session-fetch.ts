// Function of a session for HTTP requests, which may not reach local addresses, except the
// configured search server.
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import { createGuardedFetch } from '../net/ssrf-guard.ts'

/**
 * Returns the session's function for HTTP requests. Of all hosts on this machine or in the local network, it
 * reaches only the configured search server.
 */
export function openSessionFetch(searchUrl: string | undefined): GuardedFetch {
  return createGuardedFetch({ allow: searchHosts(searchUrl) })
}

function searchHosts(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return []
  const { hostname, port, protocol } = new URL(url)
  return [`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`]
}
