// A wake-up that lets several callers wait for a repeated event.
interface WakeUp {
  wake(): void
  /**
   * Resolves at once if `hasHappened` returns true, else at the next call of `wake`. Rejects with the reason
   * of `signal` if it has aborted already or aborts first.
   */
  next(signal: AbortSignal): Promise<void>
}

/** Creates a wake-up. `hasHappened` returns true for an event that no caller has handled yet. */
export function createWakeUp(hasHappened: () => boolean): WakeUp {
  const waiting = new Set<() => void>()
  return {
    wake() {
      for (const go of [...waiting]) go()
    },
    next: (signal) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void) => () => {
          waiting.delete(go)
          signal.removeEventListener('abort', leave)
          settle()
        }
        const go = end(resolve)
        const leave = end(() => reject(signal.reason))
        waiting.add(go)
        signal.addEventListener('abort', leave, { once: true })
        if (signal.aborted) leave()
        else if (hasHappened()) go()
      }),
  }
}
