// The guarded fetch of a session, which also reaches the search server of the configuration.
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import { createGuardedFetch } from '../net/ssrf-guard.ts'

/**
 * Returns the fetch of a session. Only the configured search server may be on this machine or in
 * the local network.
 */
export function openSessionFetch(searchUrl: string | undefined): GuardedFetch {
  return createGuardedFetch({ allow: searchHosts(searchUrl) })
}

function searchHosts(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return []
  const { hostname, port, protocol } = new URL(url)
  return [`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`]
}
