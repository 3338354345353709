// The home directory of whoever runs this, as Node tells it.

/**
 * The same as `homedir()` of node:os. Where the environment has the answer, that module need not be loaded
 * for it.
 */
export function homedir(): string {
  const named = process.platform === 'win32' ? undefined : process.env.HOME
  return named || process.getBuiltinModule('node:os').homedir()
}
