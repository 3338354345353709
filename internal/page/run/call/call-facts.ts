// What a call made of files, read from its arguments and its result.
import type { CallBlock } from '../../../session/view/session-view.ts'

export interface ShownDiff {
  path: string
  what: string
  /** Hunks of a unified diff. */
  hunks: string
}

/** Returns the diffs of a call. A call that failed, or that only tried, has no diffs. */
export function readCallDiffs({ result, args }: Pick<CallBlock, 'result' | 'args'>): ShownDiff[] {
  const data = (result?.ok === true && result.data ? result.data : {}) as Record<string, unknown>
  const { diffs, diff, path, dry_run: isTrial, action } = data
  if (isTrial === true) return []
  if (Array.isArray(diffs)) return diffs.filter(isShownDiff)
  if (typeof path !== 'string') return []
  // the first two lines of a whole diff name the file
  if (typeof diff === 'string')
    return [{ path, what: 'changed', hunks: diff.split('\n').slice(2).join('\n') }]
  const content = (args as { content?: unknown } | undefined)?.content
  if (action !== 'created' || typeof content !== 'string') return []
  const lines = content.replace(/\n$/, '').split('\n')
  return [{ path, what: 'created', hunks: lines.map((line) => `+${line}\n`).join('') }]
}

function isShownDiff(value: unknown): value is ShownDiff {
  const { path, what, hunks } = (value ?? {}) as Record<string, unknown>
  return [path, what, hunks].every((one) => typeof one === 'string')
}
