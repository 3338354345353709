// The line below a failure of a program that ran in a sandbox.

/**
 * Returns a line about everything that the sandbox hides from the program `what`. `opens` is an instruction
 * to the user for more access, such as the setting to change.
 */
export const sandboxHint = (what: string, opens: string): string =>
  `[sandbox: ${what} has an empty HOME, sees only the workspace and tool chains, and reaches no host; ` +
  `to open more, ${opens}]`
