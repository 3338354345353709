// Key of the page, exchanged for a token and sent with each request in addition to the cookie that
// scripts cannot read.

const storedAs = 'anode-page-key'

let known: string | undefined

/** Returns the key of this origin, which includes its port, so that other ports do not receive it. */
export function readPageKey(): string | undefined {
  try {
    return localStorage.getItem(storedAs) ?? known
  } catch {
    return known
  }
}

/** Returns the token of `#token=…` and removes it from the URL and the history. */
export function takeTokenOfAddress({ location, history }: Window): string | undefined {
  const [, token] = /^#token=([\w-]{43})$/.exec(location.hash) ?? []
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  return token
}

/** Exchanges the token; resolves with an error message, or undefined. */
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
