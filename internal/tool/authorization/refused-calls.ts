// Results of calls that do not run, because the tool is unknown or the call is not allowed.
import type { PermissionDecision } from '../../policy/decide.ts'
import type { Catalog } from '../catalog.ts'
import { failedResult, type ToolResult } from '../result.ts'

/** Advice on how a user allows a path outside the workspace. A model can only pass it on. */
const outsideHint = 'The user can add its directory with --add-dir; until then work without it.'

/**
 * Returns the result of a call that the permission decision did not allow. `why` is the reason that the user
 * gave, or why no user could answer.
 */
export function refusedResult(
  tool: string,
  decision: PermissionDecision,
  why: string | undefined,
): ToolResult {
  const because = decision.reasons.filter((reason) => reason.action === decision.action).map((r) => r.text)
  const reasons = because.length > 0 ? because.join('; ') : 'no rule allows it'
  const hint = why ?? (decision.code === 'outside_workspace' ? outsideHint : undefined)
  return failedResult(decision.code ?? 'denied', `${tool} was not allowed: ${reasons}`, {
    hint,
    detail: { action: decision.action, reasons: decision.reasons.map((r) => r.text) },
  })
}

/**
 * Largest number of tool names in the result for an unknown tool. The result gives only the number
 * of further ones.
 */
const maxListed = 40

/**
 * Returns the result of a call of an unknown tool, or of a tool that is not offered for the reason `hidden`.
 * A model cannot run commands of a terminal, so its result names tools instead of such commands.
 */
export async function unknownToolResult(
  catalog: Catalog,
  name: string,
  { hidden, isModel }: { hidden?: string | undefined; isModel?: boolean } = {},
): Promise<ToolResult> {
  if (hidden !== undefined) {
    const why = isModel ? hidden.replace(/[;,] `anode [^`]*`[^;]*/g, '') : hidden
    return failedResult('unavailable', `${name} is not offered here: ${why}`, {
      hint: isModel ? 'use another tool' : `see \`${catalog.listCommand} --all\``,
    })
  }
  const near = name === '' ? [] : catalog.near(name)
  const others = isModel ? listOffered(catalog) : `see \`${catalog.listCommand}\``
  return failedResult(
    'unknown_tool',
    name === ''
      ? 'the call names no tool'
      : ((await catalog.explain?.(name)) ?? `unknown tool ${cutName(name)}`),
    {
      hint: near.length > 0 ? `nearest: ${near.join(', ')}` : others,
      detail: { nearest: near },
    },
  )
}

function listOffered({ entries }: Catalog): string {
  const names = entries.flatMap(({ name, hidden, deferred }) =>
    hidden === undefined && !deferred ? [name] : [],
  )
  const more = names.length > maxListed ? `, and ${names.length - maxListed} more` : ''
  return `the tools are: ${names.slice(0, maxListed).join(', ')}${more}`
}

const cutName = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name)
