// Hooks that run when an agent stops: they can continue its work, or end its run.
import type { StopGate } from '../../agent/stop-gate.ts'
import type { SessionHooks } from '../../hook/hook-runner.ts'

type StopEvent = 'Stop' | 'SubagentStop'

/** Number of times that hooks may continue one run, whether or not tools ran between. */
const maxBlocks = 8

/**
 * Returns a gate that runs the hooks of an event, or undefined without such hooks. `note` gets the reason of
 * a hook that ends the run.
 */
export function openHookGate(
  hooks: SessionHooks,
  event: StopEvent,
  note: (text: string) => void,
): StopGate | undefined {
  if (!hooks.has?.(event)) return undefined
  let blocks = 0
  return {
    async atStop(answer) {
      const state = { stop_hook_count: blocks, stop_hook_active: blocks > 0, last_assistant_message: answer }
      const refusal = await hooks.fire(event, state)
      if (!refusal) return undefined
      if (!refusal.isFinal && blocks < maxBlocks) {
        blocks++
        return { message: `A hook for ${event} continues the work: ${refusal.deny}` }
      }
      const why = refusal.isFinal ? '' : ` after it continued the run ${maxBlocks} times`
      note(`a hook for ${event} ended the run${why}: ${refusal.deny}`)
      return { end: { end: 'partial', reason: 'hook', text: answer } }
    },
    observe: () => undefined,
    proof: () => undefined,
  }
}
