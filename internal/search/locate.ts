// Finds out where a path leads and whether it may be read.
import { realpath } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { Failure } from '../base/errors.ts'
import type { Policy } from '../policy/decide.ts'
import type { Place } from '../policy/path.ts'

type Around = { readonly cwd: string; readonly policy: Policy }

export async function locate(ctx: Around, path: string, _access: 'read'): Promise<Place | Failure> {
  const named = resolve(ctx.cwd, path)
  const real = await realpath(named).catch(() => undefined)
  const { workspace, added } = ctx.policy.roots
  const at = real ?? named
  const root = [workspace, ...added].find((dir) => at === dir || at.startsWith(`${dir}/`))
  if (root === undefined) return { code: 'outside_workspace', message: `${path} leads out of the workspace` }
  const shown = at === workspace ? '.' : at.startsWith(`${workspace}/`) ? relative(workspace, at) : at
  return { given: path, real: at, exists: real !== undefined, root, shown }
}
