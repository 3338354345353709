// Path of a directory entry itself. If the entry is a link, the link is not followed.
import { basename, relative } from 'node:path'
import { FailureError } from '../base/errors.ts'
import { isWithin, judgePath, resolvePath } from '../policy/paths/path-jail.ts'
import type { Ctx } from '../tool/ctx.ts'
import { locatePath } from './path-location.ts'

/** An entry of a directory. For a link, this is the link itself and not its target. */
export interface LocatedEntry {
  /** Absolute path. Links in its parent directories are followed. */
  entry: string
  shown: string
}

/**
 * Returns the entry at `path`. The call has to be allowed to use the entry and its target.
 * Throws like `locatePath`.
 */
export function locateEntry(ctx: Ctx, path: string, access: 'read' | 'write'): LocatedEntry {
  const place = locatePath(ctx, path, access)
  const bare = path.replace(/\/+$/, '')
  const name = basename(bare)
  if (bare !== path || bare === '' || name === '.' || name === '..' || name === '~') {
    return { entry: place.real, shown: place.shown }
  }
  const folder = resolvePath(ctx.cwd, ctx.policy.roots, bare.slice(0, -name.length) || '.')
  const entry = folder.real === '/' ? `/${name}` : `${folder.real}/${name}`
  if (entry === place.real) return { entry, shown: place.shown }
  const { workspace } = ctx.policy.roots
  const displayPath = isWithin(entry, workspace) ? relative(workspace, entry) : entry
  const { action, code, text } = judgePath(
    { ...place, real: entry, shown: displayPath },
    access,
    ctx.policy.roots,
  )
  if (action === 'deny') throw new FailureError({ code: code ?? 'denied', message: text })
  return { entry, shown: displayPath }
}
