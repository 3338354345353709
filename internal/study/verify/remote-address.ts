// The web address behind the address of a git remote, for hosts whose links to lines are known.

interface RemoteAddress {
  /** `https://host/owner/name`, without user and password. */
  web: string
  /** What stands between the repository and the commit in the address of a file. */
  blob: '/blob' | '/-/blob'
}

const forms = [
  // git@host:owner/name.git
  /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+)$/,
  /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/(.+)$/,
]

/** Undefined for local paths and for hosts of other kinds. Nothing is contacted. */
export function parseRemote(url: string | undefined): RemoteAddress | undefined {
  const match = forms.map((form) => form.exec(url ?? '')).find((found) => found !== null)
  const [, host = '', rest = ''] = match ?? []
  const path = rest.replace(/\/+$/, '').replace(/\.git$/, '')
  if (!/^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path)) return undefined
  const web = `https://${host.toLowerCase()}/${path}`
  if (/(?:^|\.)github\./i.test(host)) return { web, blob: '/blob' }
  return /(?:^|[.-])gitlab\b/i.test(host) ? { web, blob: '/-/blob' } : undefined
}
