// Wake-up: lets several wait for something that happens again and again.
interface WakeUp {
  wake(): void
  /** Resolves at once where it has happened already, else when it does; rejects when `signal` aborts. */
  next(signal: AbortSignal): Promise<void>
}

/** `hasHappened`: whether there is something that nobody has taken yet. */
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
