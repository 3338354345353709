// Web URL of a git remote, for hosts whose form of links to lines is known.

interface RemoteAddress {
  /** URL of the repository: `https://host/owner/name`, without user and password. */
  web: string
  /** Part of a file's URL between the repository and the commit. */
  blob: '/blob' | '/-/blob'
}

const forms = [
  // Matches the form git@host:owner/name.git.
  /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+)$/,
  /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/(.+)$/,
]

/** Parses a remote. Returns undefined for local paths and for hosts other than GitHub and GitLab. */
export function parseRemote(url: string | undefined): RemoteAddress | undefined {
  const match = forms.map((form) => form.exec(url ?? '')).find((candidate) => candidate !== null)
  const [, host = '', rest = ''] = match ?? []
  const path = rest.replace(/\/+$/, '').replace(/\.git$/, '')
  if (!/^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path)) return undefined
  const web = `https://${host.toLowerCase()}/${path}`
  if (/(?:^|\.)github\./i.test(host)) return { web, blob: '/blob' }
  return /(?:^|[.-])gitlab\b/i.test(host) ? { web, blob: '/-/blob' } : undefined
}
