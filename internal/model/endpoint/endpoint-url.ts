// URLs of an endpoint. A base URL may have a query, as Azure and some gateways require.
import { decodePercent } from '../../base/url-credentials.ts'

/** URLs by base and path, because a run sends all its requests to a few of them. */
const urls = new Map<string, string>()

/**
 * Returns the URL of `path` below `baseUrl`, with the query of `baseUrl`. `path` is not added to a base URL
 * whose path already ends in it.
 */
export function endpointUrl(baseUrl: string, path: string): string {
  const key = `${baseUrl} ${path}`
  const cachedUrl = urls.get(key)
  if (cachedUrl !== undefined) return cachedUrl
  const url = changePath(baseUrl, (root) => (root.endsWith(path) ? root : root + path))
  urls.set(key, url)
  return url
}

/**
 * Returns `baseUrl` with another path and without a fragment; `change` gets the path without a slash
 * at its end.
 */
export function changePath(baseUrl: string, change: (path: string) => string): string {
  const url = new URL(baseUrl)
  url.hash = ''
  const path = change(url.pathname.replace(/\/+$/, ''))
  const { search } = url
  url.search = ''
  url.pathname = path
  return url.href.replace(/[?/]+$/, '') + search
}

/** Returns the URL for users: without query, name and password, which may be secrets. */
export function describeUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/**
 * Returns the values in a URL that may be secrets: its password, its user name if it has no password, and
 * the values of its query whose names suggest a secret. Omits values with fewer than 4 characters.
 */
export function secretsInUrl(baseUrl: string): string[] {
  const { searchParams, username, password } = new URL(baseUrl)
  const credential = password === '' ? username : password
  const values = [...searchParams].flatMap(([name, value]) =>
    /key|token|secret|sig|auth|code|pass|pwd/i.test(name) ? [value] : [],
  )
  return [...new Set([...values, credential, decodePercent(credential)])].filter((value) => value.length >= 4)
}
