// The tool fs_move: moves or renames a file, directory or link.
import { lstatSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { type FailureCode, FailureError } from '../../base/errors.ts'
import { explainErrno } from '../../base/files/errno.ts'
import { makeDirectories, moveEntry } from '../../base/files/move-entry.ts'
import { isWithin } from '../../policy/paths/path-jail.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { locateEntry } from '../../tool-support/entry-location.ts'
import { movedPaths, noteMoved, recordMove } from '../../tool-support/moved-paths.ts'
import about from './fs_move.md'

const input = z.object({
  source: field(z.string().check(z.minLength(1)), 'File, directory or link to move'),
  destination: field(z.string().check(z.minLength(1)), 'Whole new path'),
  overwrite: field(z._default(z.boolean(), false), 'true: replace an existing destination'),
})

export const fsMove = defineTool({
  name: 'fs_move',
  about,
  offer: { optional: true },
  input,
  example: { source: 'src/util.ts', destination: 'src/text/lines.ts' },
  level: 'confirm_write',
  access: ({ source, destination }, ctx) => ({
    scope: movedPaths(source, destination, ctx).map((path) => ({ kind: 'path', path, access: 'write' })),
  }),
  async validate(args, ctx) {
    prepareMove(args, ctx)
  },
  async run(args, ctx) {
    const { from, to, replaces } = prepareMove(args, ctx)
    ctx.signal.throwIfAborted()
    try {
      await makeDirectories(dirname(to.entry))
      const notify = noteMoved(ctx, from, to)
      await recordMove(ctx, from, to)
      await moveEntry(from.entry, to.entry)
      const heard = await notify()
      const replaced = replaces ? ', replacing what was there' : ''
      return {
        text: [`moved ${from.shown} to ${to.shown}${replaced}`, ...heard].join('\n'),
        data: { source: from.shown, destination: to.shown, replaced: replaces },
      }
    } catch (error) {
      throw explainErrno(error, `${from.shown} or ${to.shown}`)
    }
  },
})

/**
 * Checks a move and returns its source and destination, and whether it replaces an entry. Throws FailureError
 * for a move that the arguments make impossible, such as a missing source, an existing destination without
 * `overwrite`, or a move of the current directory.
 */
function prepareMove({ source, destination, overwrite }: z.output<typeof input>, ctx: Ctx) {
  const from = locateEntry(ctx, source, 'write')
  const to = locateEntry(ctx, destination, 'write')
  const moved = lookAt(from.entry, from.shown)
  if (!moved) throw moveError('not_found', `${from.shown} does not exist`)
  if (from.entry === to.entry) throw moveError('bad_args', 'source and destination are the same')
  if (isWithin(to.entry, from.entry)) {
    throw moveError('bad_args', `${from.shown} cannot be moved into itself`)
  }
  if (from.shown === '.' || isWithin(ctx.cwd, from.entry)) {
    throw moveError('bad_args', 'the folder that work is done in cannot be moved')
  }
  const there = lookAt(to.entry, to.shown)
  if (there && !overwrite) {
    throw moveError('file_exists', `${to.shown} exists already`, 'Set `overwrite` to replace it.')
  }
  if (there && isWithin(from.entry, to.entry)) {
    throw moveError('bad_args', `${to.shown} holds ${from.shown} and cannot be replaced by it`)
  }
  if (there?.isDirectory() && !moved.isDirectory()) {
    throw moveError('is_directory', `${to.shown} is a folder`, 'Name the file in it as `destination`.')
  }
  if (there && !there.isDirectory() && moved.isDirectory()) {
    throw moveError('not_a_directory', `${to.shown} is a file, ${from.shown} a folder`)
  }
  return { from, to, replaces: there !== undefined }
}

function lookAt(entry: string, displayPath: string): Stats | undefined {
  try {
    return lstatSync(entry, { throwIfNoEntry: false })
  } catch (error) {
    throw explainErrno(error, displayPath)
  }
}

const moveError = (code: FailureCode, message: string, hint?: string) =>
  new FailureError({ code, message, hint: hint || undefined })
