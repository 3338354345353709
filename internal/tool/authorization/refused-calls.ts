// Results of calls that do not run because there is no such tool, or because they are not allowed.
import type { PermissionDecision } from '../../policy/decide.ts'
import type { Catalog } from '../catalog.ts'
import { failedResult, type ToolResult } from '../result.ts'

/** What lets a place outside be used; a model can only pass it on. */
const outsideHint = 'A person lets it be used with --add-dir and a folder that holds it.'

/** The result of a call that the decision, or `why` somebody, did not allow. */
export function refusedResult(
  tool: string,
  decision: PermissionDecision,
  why: string | undefined,
): ToolResult {
  const because = decision.reasons.filter((reason) => reason.action === decision.action).map((r) => r.text)
  const reasons = because.length > 0 ? because.join('; ') : 'no rule allows it'
  const hint = why ?? (decision.code === 'outside_workspace' ? outsideHint : undefined)
  return failedResult(decision.code ?? 'denied', `${tool} was not allowed: ${reasons}`, {
    ...(hint !== undefined && { hint }),
    detail: { action: decision.action, reasons: decision.reasons.map((r) => r.text) },
  })
}

/** The result of a call whose tool is not there, or is `hidden` for this reason. */
export async function unknownToolResult(
  catalog: Catalog,
  name: string,
  hidden?: string,
): Promise<ToolResult> {
  if (hidden !== undefined) {
    return failedResult('unavailable', `${name} is not offered here: ${hidden}`, {
      hint: `see \`${catalog.listCommand} --all\``,
    })
  }
  const near = name === '' ? [] : catalog.near(name)
  return failedResult(
    'unknown_tool',
    name === ''
      ? 'the call names no tool'
      : ((await catalog.explain?.(name)) ?? `there is no tool named ${name}`),
    {
      hint: near.length > 0 ? `nearest: ${near.join(', ')}` : `see \`${catalog.listCommand}\``,
      detail: { nearest: near },
    },
  )
}
