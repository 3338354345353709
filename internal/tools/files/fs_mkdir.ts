// The tool fs_mkdir: creates a directory.
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { explainErrno } from '../../base/files/errno.ts'
import { makeDirectories } from '../../base/files/move-entry.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { locatePath } from '../../tool-support/path-location.ts'
import about from './fs_mkdir.md'

const input = z.object({
  path: field(z.string().check(z.minLength(1)), 'Directory to create'),
  parents: field(z._default(z.boolean(), true), 'false: fail if the parent directory is missing'),
})

export const fsMkdir = defineTool({
  name: 'fs_mkdir',
  about,
  offer: { optional: true },
  input,
  example: { path: 'docs/adr' },
  level: 'confirm_write',
  access: ({ path }) => ({ scope: [{ kind: 'path', path, access: 'write' }] }),
  async validate(args, ctx) {
    prepareDirectory(args, ctx)
  },
  async run(args, ctx) {
    const { place, there } = prepareDirectory(args, ctx)
    ctx.signal.throwIfAborted()
    const newDirectories = there
      ? []
      : await makeDirectories(place.real).catch((error) => {
          throw explainErrno(error, place.shown)
        })
    const action = there ? 'unchanged' : 'created'
    const text = there ? `${place.shown} is there already` : `created ${place.shown}`
    return { text, data: { path: place.shown, action, created: newDirectories.length } }
  },
})

/**
 * Returns the location of the directory, and whether it exists already. Throws FailureError if a file has
 * that path, if the parent is missing and `parents` is false, or if the path cannot be examined.
 */
function prepareDirectory({ path, parents }: z.output<typeof input>, ctx: Ctx) {
  const place = locatePath(ctx, path, 'write')
  const info = kindOf(place.real, place.shown)
  if (info === 'other') {
    throw new FailureError({ code: 'file_exists', message: `${place.shown} exists and is not a directory` })
  }
  if (info === undefined && !parents && kindOf(dirname(place.real), place.shown) === undefined) {
    const message = `the folder that is to hold ${place.shown} does not exist`
    throw new FailureError({ code: 'not_found', message, hint: 'Set `parents` to make it too.' })
  }
  return { place, there: info === 'directory' }
}

function kindOf(path: string, displayPath: string): 'directory' | 'other' | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    return info && (info.isDirectory() ? 'directory' : 'other')
  } catch (error) {
    throw explainErrno(error, displayPath)
  }
}
