// Hook that sends a command to the server and shows whether the server accepted it.
import { useState } from 'preact/hooks'
import { describeProblem, requestServer } from './ask-server.ts'

interface OrderState {
  /** Sends a command. Resolves to true if the server accepted it; otherwise shows the reason. */
  order(path: string): Promise<boolean>
  refused: string | undefined
}

export function useOrder(): OrderState {
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
