// The key of the page: got for a token, sent with each request beside the cookie that no script can read.

const storedAs = 'anode-page-key'

let known: string | undefined

/** Kept for this origin, its port included; other ports are not sent it. */
export function readPageKey(): string | undefined {
  try {
    return localStorage.getItem(storedAs) ?? known
  } catch {
    return known
  }
}

/** The token of `#token=…`, which is out of address and history from then on. */
export function takeTokenOfAddress({ location, history }: Window): string | undefined {
  const [, token] = /^#token=([\w-]{43})$/.exec(location.hash) ?? []
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  return token
}

/** Resolves with what went wrong, in words. */
export async function exchangeToken(token: string): Promise<string | undefined> {
  try {
    const response = await fetch('/v1/page', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    const body = (await response.json()) as { key?: string; title?: string }
    if (!response.ok || body.key === undefined) return body.title ?? 'the server refused the token'
    known = body.key
    localStorage.setItem(storedAs, body.key)
    return undefined
  } catch {
    return known === undefined ? 'the server cannot be reached' : undefined
  }
}
