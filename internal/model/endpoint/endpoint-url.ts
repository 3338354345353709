// URLs of an endpoint: a base URL may carry a query, as Azure and some gateways need it.

/** Returns the URL of `path` below `baseUrl` with its query. A base that ends in `path` stays as it is. */
export function endpointUrl(baseUrl: string, path: string): string {
  return changePath(baseUrl, (root) => (root.endsWith(path) ? root : root + path))
}

/** Returns `baseUrl` with another path; `change` gets the path without a slash at its end. */
export function changePath(baseUrl: string, change: (path: string) => string): string {
  const url = new URL(baseUrl)
  url.hash = ''
  const path = change(url.pathname.replace(/\/+$/, ''))
  const { search } = url
  url.search = ''
  url.pathname = path
  return url.href.replace(/[?/]+$/, '') + search
}

/** Returns the URL for people: without query, name and password, which may be secrets. */
export function describeUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** Returns the values in a URL that may be secrets: of its query, and its password. */
export function secretsInUrl(baseUrl: string): string[] {
  const { searchParams, password } = new URL(baseUrl)
  const values = [...searchParams].flatMap(([name, value]) =>
    /key|token|secret|sig|auth|code/i.test(name) ? [value] : [],
  )
  return [...values, decodeURIComponent(password)].filter((value) => value.length >= 4)
}
