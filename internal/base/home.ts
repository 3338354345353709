// The home directory of the user who runs Anode, as Node reports it.

/**
 * Returns the user's home directory, as `homedir()` of node:os does. If the variable HOME is set, that module
 * is not loaded.
 */
export function homedir(): string {
  const named = process.platform === 'win32' ? undefined : process.env.HOME
  return named || process.getBuiltinModule('node:os').homedir()
}
