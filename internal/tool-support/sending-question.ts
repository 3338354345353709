// Check whether a URL may be sent to its host without approval, because a URL can carry text out
// of the workspace.
import type { HostQuestion } from '../policy/level.ts'
import type { Ctx } from '../tool/ctx.ts'

/**
 * Largest number of characters of path, query and headers together that are sent without approval, because
 * longer ones could carry a text out of the workspace. Calls that the user typed have no limit, nor have
 * documentation and known URLs without headers.
 */
const maxSentChars = 200

/** Documentation hosts. Each belongs to a single owner, so that a URL sent to it reaches no other party. */
const documentationHosts: ReadonlySet<string> = new Set([
  ...['docs.python.org', 'peps.python.org', 'developer.mozilla.org', 'nodejs.org', 'www.typescriptlang.org'],
  ...[
    'go.dev',
    'doc.rust-lang.org',
    'docs.oracle.com',
    'kotlinlang.org',
    'docs.ruby-lang.org',
    'www.php.net',
  ],
  ...['docs.npmjs.com', 'docs.djangoproject.com', 'react.dev', 'vuejs.org', 'tc39.es', 'www.w3.org'],
  ...['www.rfc-editor.org', 'git-scm.com', 'docs.github.com', 'docs.docker.com', 'kubernetes.io'],
  ...['www.postgresql.org', 'www.sqlite.org', 'redis.io', 'learn.microsoft.com'],
])

/** Returns why sending the request to `url` with these headers needs approval; undefined if it does not. */
export function askBeforeSending(
  url: URL,
  headers: Readonly<Record<string, string>>,
  gate: Pick<Ctx['gate'], 'urls' | 'isTyped'> | undefined,
): HostQuestion | undefined {
  if (gate?.isTyped) return undefined
  const extra = Object.entries(headers).flat()
  if (extra.length === 0 && (gate?.urls?.hasUrl(url) || isDocumentation(url))) return undefined
  const length = [url.pathname, url.search, ...extra].join('').length
  if (length > maxSentChars) {
    const what = extra.length > 0 ? 'path, query and headers' : 'path and query'
    const limit = `more than ${maxSentChars} always need approval`
    const text = `${what} of the URL have ${length} characters; ${limit}`
    return { text, isFixed: true }
  }
  if (gate?.urls?.hasHost(hostName(url))) return undefined
  const where = 'no search result, no message of the user and no earlier approval names it'
  return { text: `the request goes to ${hostName(url)}: ${where}`, isFixed: false }
}

const isDocumentation = ({ protocol, host }: URL) => protocol === 'https:' && documentationHosts.has(host)

/** Returns the host of a URL as permission rules write it, without the brackets of an IPv6 address. */
export const hostName = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
