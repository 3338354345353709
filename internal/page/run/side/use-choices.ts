// What runs can be switched to: profiles and models, each usable or with the reason why not.
import { useEffect, useState } from 'preact/hooks'
import type { SessionChoices } from '../../../session/client.ts'
import { askServer } from '../../connection/ask-server.ts'

type RunChoices = Pick<SessionChoices, 'models' | 'profiles'>

const none: RunChoices = { models: [], profiles: [] }

/** Of a workspace; nothing where they cannot be had. */
export const useChoices = (workspace: string | undefined) =>
  useAsked(workspace === undefined ? undefined : `workspace=${encodeURIComponent(workspace)}`)

/** Of the workspace that a thread works in. */
export const useRunChoices = (thread: string) => useAsked(`thread=${encodeURIComponent(thread)}`)

function useAsked(query: string | undefined): RunChoices {
  const [choices, setChoices] = useState<RunChoices>(none)
  useEffect(() => {
    if (query === undefined) return
    const stop = new AbortController()
    askServer<RunChoices>(`/v1/choices?${query}`, { signal: stop.signal }).then(setChoices, () => undefined)
    return () => stop.abort()
  }, [query])
  return choices
}
