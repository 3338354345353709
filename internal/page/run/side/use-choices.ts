// Hooks that load the profiles and models to which a run can switch. A choice that cannot be used
// has a reason.
import { useEffect, useState } from 'preact/hooks'
import type { SessionChoices } from '../../../session/client.ts'
import { askServer } from '../../connection/ask-server.ts'

type RunChoices = Pick<SessionChoices, 'models' | 'profiles'>

const none: RunChoices = { models: [], profiles: [] }

/**
 * Loads the choices of a workspace. The lists are empty until the server has returned them, and stay empty if
 * no workspace is set or the server cannot list them.
 */
export const useChoices = (workspace: string | undefined) =>
  useAsked(workspace === undefined ? undefined : `workspace=${encodeURIComponent(workspace)}`)

/** Loads the choices of the workspace in which a thread works. */
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
