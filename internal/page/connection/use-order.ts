// Orders to the server that need no answer but whether they were taken.
import { useState } from 'preact/hooks'
import { describeProblem, requestServer } from './ask-server.ts'

interface Orders {
  /** Resolves with whether it was taken; why not is shown. */
  order(path: string): Promise<boolean>
  refused: string | undefined
}

export function useOrder(): Orders {
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const order = async (path: string) => {
    setRefused(undefined)
    try {
      await requestServer(path, { method: 'POST' })
      return true
    } catch (error) {
      setRefused(describeProblem(error))
      return false
    }
  }
  return { order, refused }
}
