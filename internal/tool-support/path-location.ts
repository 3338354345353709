// Locates the path of a call: where it really leads, resolved at the moment of use.
import { FailureError } from '../base/errors.ts'
import { judgePath, type ResolvedPath, resolvePath } from '../policy/paths/path-jail.ts'
import type { Ctx } from '../tool/ctx.ts'

/**
 * The place behind `path`. Throws FailureError when it may not be used at all (`outside_workspace`,
 * `protected_path`, `bad_args`). The gate has judged the call before; this is the second look: where the
 * path leads elsewhere than it did then, because a link was planted since, it is `denied`. What is opened
 * is `real`.
 */
export function locatePath(ctx: Ctx, path: string, access: 'read' | 'write'): ResolvedPath {
  if (path === '') throw new FailureError({ code: 'bad_args', message: 'the path is empty' })
  const place = resolvePath(ctx.cwd, ctx.policy.roots, path)
  const judgedPath = ctx.call.judgedPaths?.get(path)
  if (judgedPath !== undefined && judgedPath !== place.real) {
    const message = `${path} led to ${judgedPath} when the call was judged, and now leads to ${place.real}`
    throw new FailureError({
      code: 'denied',
      message,
      hint: 'Somebody has changed a folder on the way; call again to have it judged anew.',
    })
  }
  const { action, code, text } = judgePath(place, access, ctx.policy.roots)
  if (action === 'deny') throw new FailureError({ code: code ?? 'denied', message: text })
  return place
}

/** The same for a file that is only read and has to be there. Throws also FailureError `not_found`. */
export function locateExisting(ctx: Ctx, path: string): ResolvedPath {
  const place = locatePath(ctx, path, 'read')
  if (place.exists) return place
  throw new FailureError({ code: 'not_found', message: `${place.shown} does not exist` })
}

/**
 * Whether an error may quote the file before anybody has allowed the call: no secrets, or read in this
 * session already, which somebody did allow.
 */
export function mayQuoteFile(ctx: Ctx, place: ResolvedPath): boolean {
  return ctx.seen?.has(place.real) || judgePath(place, 'read', ctx.policy.roots).action === 'allow'
}

/** The files below a place that permission rules close; undefined without rules. */
export async function findClosed(ctx: Ctx, place: ResolvedPath) {
  const { rules, parents } = ctx.policy
  if (rules.length === 0 && parents.length === 0) return undefined
  return (await import('./closed-files.ts')).closedFilesBelow(ctx, place)
}
