// A path as users type it after a command, or as terminals insert it for a dropped file. The
// functions are pure.

/**
 * Returns the path without quotes and backslashes that a shell would remove. A leading `~` becomes the home
 * directory, if that is known.
 */
export function readTypedPath(text: string, home: string | undefined): string {
  const line = text.trim()
  const bare = /^(["'])[^\n]*\1$/.test(line) ? line.slice(1, -1) : line.replace(/\\(.)/g, '$1')
  return home === undefined ? bare : bare.replace(/^~(?=\/|$)/, home)
}
