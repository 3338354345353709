// The line below a failure of a program that ran in a sandbox.

/** Returns what is closed to `what` in its sandbox, and `opens`, an imperative that opens it. */
export const sandboxHint = (what: string, opens: string): string =>
  `[sandbox: ${what} has an empty HOME, sees only the workspace and tool chains, and reaches no host; ` +
  `to open more, ${opens}]`
