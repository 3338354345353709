// Calls of a scripted model through the built program, and the result of each.
import type { World } from './anode.ts'

export interface ScriptedCall {
  name: string
  args: Record<string, unknown>
}

export interface CallResult {
  ok: boolean
  text: string
  code?: string
  /** Reasons why it needed approval; undefined where it ran or was refused without a question. */
  asked?: readonly string[]
}

/** Runs `anode execute` with all calls in one reply. The script is next to the workspace. */
export async function runCalls(
  at: World,
  calls: readonly ScriptedCall[],
  flags: readonly string[],
  env: Record<string, string> = {},
): Promise<{ results: CallResult[]; out: string; err: string; code: number | null }> {
  at.put('../calls.jsonl', `${JSON.stringify({ calls })}\n${JSON.stringify({ text: 'done' })}\n`)
  const words = ['execute', 'go', '--model', 'script:../calls.jsonl', '--stream-json', ...flags]
  const { out, err, code } = await at.anode(words, { env })
  const results = new Map<string, CallResult>()
  const asked = new Map<string, readonly string[]>()
  for (const line of out.split('\n').filter((one) => one.startsWith('{'))) {
    const { type, payload } = JSON.parse(line) as { type: string; payload: Record<string, never> }
    const id = payload.model_call as unknown as string | undefined
    if (id === undefined) continue
    if (type === 'permission.asked') asked.set(id, payload.reasons as unknown as string[])
    if (type === 'tool.result') results.set(id, payload as unknown as CallResult)
  }
  const byNumber = [...results].map(([id, result]) => {
    const reasons = asked.get(id)
    return [Number(id.split('_').at(-1)), { ...result, ...(reasons && { asked: reasons }) }] as const
  })
  const sorted = byNumber.sort(([a], [b]) => a - b).map(([, result]) => result)
  if (sorted.length !== calls.length)
    throw new Error(`${sorted.length} results of ${calls.length}: ${err}\n${out}`)
  return { results: sorted, out, err, code }
}
