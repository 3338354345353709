// Key that the page gets in exchange for a token. Each request contains it in addition to a cookie that
// scripts cannot read.

const storedAs = 'anode-page-key'

let pageKey: string | undefined

/**
 * Returns the stored key of this origin, or else the key that this page has received; undefined without one.
 * The origin includes its port, so other ports do not receive the key.
 */
export function readPageKey(): string | undefined {
  try {
    return localStorage.getItem(storedAs) ?? pageKey
  } catch {
    return pageKey
  }
}

/** Secret in the fragment of the page's URL: a token, or a code that can be used once. */
export interface AddressSecret {
  kind: 'token' | 'code'
  value: string
}

/**
 * Returns the secret of `#token=…` or `#code=…`, or undefined without one. Removes any fragment from the URL
 * and the history.
 */
export function takeSecretOfAddress({ location, history }: Window): AddressSecret | undefined {
  const [, kind, value] = /^#(token|code)=([\w-]{32,43})$/.exec(location.hash) ?? []
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  return value === undefined ? undefined : { kind: kind as AddressSecret['kind'], value }
}

/** Exchanges the secret for a session of the page. Resolves to an error message, or undefined on success. */
export async function exchangeSecret({ kind, value }: AddressSecret): Promise<string | undefined> {
  const [path, headers] =
    kind === 'token'
      ? ['/v1/page', { authorization: `Bearer ${value}` }]
      : ['/v1/page/code', { 'x-anode-code': value }]
  try {
    const response = await fetch(path as string, { method: 'POST', headers: headers as HeadersInit })
    const body = (await response.json()) as { key?: string; title?: string }
    if (!response.ok || body.key === undefined) return body.title ?? `the server refused the ${kind}`
    pageKey = body.key
    localStorage.setItem(storedAs, body.key)
    return undefined
  } catch {
    return pageKey === undefined ? 'the server cannot be reached' : undefined
  }
}
