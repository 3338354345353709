// The URLs and hosts that a session may fetch from without approval.

/**
 * URLs that the user and the searches of one session have named, and hosts that the user has approved. All
 * agents of the session share them.
 */
export interface KnownUrls {
  /** Adds a URL that a search returned. */
  add(url: string): void
  /** Adds every http and https URL in a text that the user typed. */
  addText(text: string): void
  /** Adds a host that the user has approved. */
  approveHost(host: string): void
  hasUrl(url: URL): boolean
  hasHost(host: string): boolean
}

export function createKnownUrls(): KnownUrls {
  const urls = new Set<string>()
  const hosts = new Set<string>()
  const add = (text: string) => {
    if (URL.canParse(text)) urls.add(sentPart(new URL(text)))
  }
  return {
    add,
    addText(text) {
      for (const [url] of text.matchAll(/\bhttps?:\/\/[^\s<>"'`\\]+/gi)) {
        add(url)
        // Punctuation after a URL, such as the end of a sentence or of a Markdown link, may belong to it.
        // Both forms are added.
        for (let rest = url; /[.,;:!?)\]}*_]$/.test(rest); ) {
          rest = rest.slice(0, -1)
          add(rest)
        }
      }
    },
    approveHost: (host) => void hosts.add(plainHost(host)),
    hasUrl: (url) => urls.has(sentPart(url)),
    hasHost: (host) => hosts.has(plainHost(host)),
  }
}

/** Returns the URL without its fragment, which no request contains. */
function sentPart(url: URL): string {
  const bare = new URL(url)
  bare.hash = ''
  return bare.href
}

const plainHost = (host: string) => host.toLowerCase().replace(/\.$/, '')
