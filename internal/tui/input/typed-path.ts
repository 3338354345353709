// A path as a person writes it behind a command, or as a terminal writes one that was dropped. Pure.

/** Without quotation marks and backslashes that a shell would take away; `~/` is the home directory. */
export function readTypedPath(text: string, home: string | undefined): string {
  const line = text.trim()
  const bare = /^(["'])[^\n]*\1$/.test(line) ? line.slice(1, -1) : line.replace(/\\(.)/g, '$1')
  return home === undefined ? bare : bare.replace(/^~(?=\/|$)/, home)
}
