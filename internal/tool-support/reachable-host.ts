// Check whether a call may reach a host that becomes known only while the call runs.
import { resolveFacts } from '../policy/call-facts.ts'
import { decide } from '../policy/decide.ts'
import type { Ctx } from '../tool/ctx.ts'

/** Returns true if the rules allow `tool` to reach `host` without approval. */
export async function mayReachHost(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  host: string,
  { policy, cwd }: Ctx,
): Promise<boolean> {
  const call = { tool, level: 'external_read' as const, args, scope: [{ kind: 'host' as const, host }] }
  return decide(await resolveFacts(call, policy, cwd), policy).action === 'allow'
}
