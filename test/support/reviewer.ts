// Answers of a reviewer of approvals.

/** Returns the id of the call in a request to a reviewer. */
export const reviewedCall = (request: string): string =>
  /call\\*": \\*"([0-9a-f]{12})/.exec(request)?.[1] ?? ''

/** Returns the answer of a reviewer that allows every call. */
export const alwaysYes = (request: string): string =>
  JSON.stringify({ verdict: 'allow', call: reviewedCall(request), reason: 'the user asked for it' })
