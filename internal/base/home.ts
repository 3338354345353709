// The home directory of the user who runs Anode, as Node reports it.

/**
 * Returns the result of `homedir()` of node:os. If the environment contains it, that module is not loaded.
 */
export function homedir(): string {
  const named = process.platform === 'win32' ? undefined : process.env.HOME
  return named || process.getBuiltinModule('node:os').homedir()
}
