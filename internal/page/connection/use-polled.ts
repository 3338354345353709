// Hook for a server value that is polled, less often while the page is hidden.
import { useEffect, useState } from 'preact/hooks'
import { askServer, describeProblem, ServerProblem } from './ask-server.ts'

interface PolledValue<T> {
  value: T | undefined
  problem: string | undefined
  /** True if the server rejected the request because it requires a token. */
  isRefused: boolean
}

/**
 * Requests a value again and again, with pauses of `pauseMs` milliseconds. While the page is hidden, pauses
 * are five times longer unless `isAwaited`. When the page becomes visible, it requests the value at once.
 */
export function usePolled<T>(path: string, pauseMs: number, isAwaited = false): PolledValue<T> {
  const [polled, setPolled] = useState<PolledValue<T>>({
    value: undefined,
    problem: undefined,
    isRefused: false,
  })
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    let timer: number | undefined
    const ask = async () => {
      try {
        const value = await askServer<T>(path, { signal })
        setPolled({ value, problem: undefined, isRefused: false })
      } catch (error) {
        if (signal.aborted) return
        const isRefused = error instanceof ServerProblem && error.status === 401
        setPolled(({ value }) => ({ value, problem: describeProblem(error), isRefused }))
      }
      if (!signal.aborted) timer = window.setTimeout(ask, pauseMs * (document.hidden && !isAwaited ? 5 : 1))
    }
    const look = () => {
      if (document.hidden) return
      window.clearTimeout(timer)
      void ask()
    }
    void ask()
    document.addEventListener('visibilitychange', look)
    return () => {
      stop.abort()
      window.clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [path, pauseMs, isAwaited])
  return polled
}
