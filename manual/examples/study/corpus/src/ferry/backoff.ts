// Delay before a batch is tried again.
export function delay(attempt: number): number {
  const seconds = Math.min(900, 5 * 2 ** attempt)
  return seconds * 1000
}
