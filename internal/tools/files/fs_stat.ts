// The tool fs_stat: returns type, size, mode and times of a file, directory or link.
import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import * as z from 'zod/mini'
import { explainErrno } from '../../base/files/errno.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { locateEntry } from '../../tool-support/entry-location.ts'
import about from './fs_stat.md'

export const fsStat = defineTool({
  name: 'fs_stat',
  about,
  offer: { optional: true },
  input: z.object({
    path: field(z.string().check(z.minLength(1)), 'File, directory or link to show'),
  }),
  example: { path: 'README.md' },
  level: 'auto_read',
  access: ({ path }) => ({ scope: [{ kind: 'path', path, access: 'read' }] }),
  async run({ path }, ctx) {
    const { entry, shown: displayPath } = locateEntry(ctx, path, 'read')
    const stat = lookAtEntry(entry, displayPath)
    const type = typeOf(stat)
    const data = {
      path: displayPath,
      type,
      is_file: type === 'file',
      is_directory: type === 'directory',
      size: stat.size,
      permissions: (stat.mode & 0o7777).toString(8).padStart(4, '0'),
      created: stat.birthtime.toISOString(),
      modified: stat.mtime.toISOString(),
      accessed: stat.atime.toISOString(),
      ...(type === 'link' && { target: readlinkSync(entry) }),
    }
    const text = Object.entries(data)
      .filter(([name]) => !name.startsWith('is_'))
      .map(([name, value]) => `${name}: ${value}`)
    return { text: text.join('\n'), data }
  },
})

function lookAtEntry(entry: string, displayPath: string): Stats {
  try {
    return lstatSync(entry)
  } catch (error) {
    throw explainErrno(error, displayPath)
  }
}

function typeOf(stat: Stats) {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'directory'
  return stat.isSymbolicLink() ? 'link' : 'other'
}
