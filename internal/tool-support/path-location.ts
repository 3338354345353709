// Resolution of a path in a call to the real file, at the time when the file is used.
import { FailureError } from '../base/errors.ts'
import { judgePath, type ResolvedPath, resolvePath } from '../policy/paths/path-jail.ts'
import type { Ctx } from '../tool/ctx.ts'

/**
 * Returns the file to which `path` leads. Throws FailureError if the call may not use it
 * (`outside_workspace`, `protected_path`, `bad_args`). The gate has checked the path before the call. If the
 * path now leads to another file, for example through a new link, this second check throws `denied`. Callers
 * have to open `real`.
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
      hint: 'A directory of the path has changed; call again to check it.',
    })
  }
  const { action, code, text } = judgePath(place, access, ctx.policy.roots)
  if (action === 'deny') throw new FailureError({ code: code ?? 'denied', message: text })
  return place
}

/**
 * Returns the location of an existing file that is only read. Throws FailureError `not_found` for a missing
 * one, and the errors of `locatePath`.
 */
export function locateExisting(ctx: Ctx, path: string): ResolvedPath {
  const place = locatePath(ctx, path, 'read')
  if (place.exists) return place
  throw new FailureError({ code: 'not_found', message: `${place.shown} does not exist` })
}

/**
 * Returns true if an error message may quote the file before the call is allowed: its path may be read
 * without approval, or this session has already read or written it.
 */
export function mayQuoteFile(ctx: Ctx, place: ResolvedPath): boolean {
  return ctx.seen?.has(place.real) || judgePath(place, 'read', ctx.policy.roots).action === 'allow'
}

/**
 * Returns the check for files below a path that permission rules forbid; undefined if the policy has neither
 * rules nor parent policies.
 */
export async function findClosed(ctx: Ctx, place: ResolvedPath) {
  const { rules, parents } = ctx.policy
  if (rules.length === 0 && parents.length === 0) return undefined
  return (await import('./closed-files.ts')).closedFilesBelow(ctx, place)
}
