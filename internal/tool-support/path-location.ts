// Resolution of a path in a call to the real file when it is used, and the files below it that rules close.
import { FailureError } from '../base/errors.ts'
import { judgePath, type ResolvedPath, resolvePath } from '../policy/paths/path-jail.ts'
import { listedPlace } from '../policy/paths/sensitive-contents.ts'
import { closedToReading, fileRuleFits } from '../policy/rules/file-rules.ts'
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
 * Returns the check for files below a path that permission rules forbid; undefined if neither the policy nor
 * a parent policy has any rules.
 */
export async function findClosed(ctx: Ctx, place: ResolvedPath) {
  const { rules, parents } = ctx.policy
  if (rules.length === 0 && parents.length === 0) return undefined
  return closedFilesBelow(ctx, place)
}

interface ClosedFiles {
  /**
   * Returns true if a rule denies or asks about reading the file `name`, relative to the searched path.
   * Undefined if the policy has no such rule.
   */
  closes: ((name: string) => boolean) | undefined
  /** Returns a note with the first file that `closes` found; an empty list if it found none. */
  remarks: () => string[]
}

/**
 * Returns a check for the files below a path that permission rules deny or ask about, and a function that
 * returns a note if the check found such a file.
 */
async function closedFilesBelow({ policy }: Ctx, place: ResolvedPath): Promise<ClosedFiles> {
  const rules = closedToReading(policy)
  if (rules.length === 0) return { closes: undefined, remarks: () => [] }
  let first: string | undefined
  const closes = (name: string) => {
    const file = listedPlace(`${place.real === '/' ? '' : place.real}/${name}`, policy.roots)
    const isClosed = rules.some((rule) => fileRuleFits(rule, file, policy.roots))
    if (isClosed) first ??= file.shown
    return isClosed
  }
  const remarks = () =>
    first === undefined ? [] : [`files that permission rules close were skipped, such as ${first}`]
  return { closes, remarks }
}
