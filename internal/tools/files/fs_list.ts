// The tool fs_list: lists the entries of a directory, flat or as a tree.
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { textOfBytes } from '../../base/text/byte-name.ts'
import { countNoun, groupDigits } from '../../base/text/count-noun.ts'
import { shownName } from '../../base/text/invisible-chars.ts'
import { type DirectoryEntry, listDirectory } from '../../search/directory-list.ts'
import { formatRemarks, maxSearchMs, readExclusion, searchFailure } from '../../search/search-report.ts'
import { field, wholeNumber } from '../../tool/field.ts'
import { partialResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { locateExisting } from '../../tool-support/path-location.ts'
import about from './fs_list.md'

interface ListedEntry {
  path: string
  type: DirectoryEntry['type']
  size: number | null
}

interface TreeNode {
  name: string
  path: string
  type: DirectoryEntry['type']
  size: number | null
  children?: TreeNode[]
}

export const fsList = defineTool({
  name: 'fs_list',
  about,
  offer: { optional: true },
  input: z.object({
    path: field(z._default(z.string(), '.'), 'Directory to list'),
    depth: field(z._default(wholeNumber(), 1), 'Levels to list', { cap: 20 }),
    tree: field(z._default(z.boolean(), false), 'true: nest entries instead of printing whole paths'),
    exclude: field(z._default(z.array(z.string().check(z.minLength(1))), []), 'Globs of entries to skip'),
    hidden: field(z._default(z.boolean(), true), 'Also list names that begin with a dot'),
    limit: field(z._default(wholeNumber(), 2000), 'Entries to return', { cap: 10_000 }),
  }),
  example: { path: 'src', depth: 2, exclude: ['*.map'] },
  level: 'auto_read',
  access: ({ path }) => ({ scope: [{ kind: 'path', path, access: 'read' }] }),
  async run(args, ctx) {
    const exclude = args.exclude.map(readExclusion)
    const place = locateExisting(ctx, args.path)
    if (!statSync(place.real).isDirectory()) {
      throw new FailureError({
        code: 'not_a_directory',
        message: `${place.shown} is a file`,
        hint: 'Read it, or give its folder as `path`.',
      })
    }
    const { depth, hidden, limit } = args
    const listing = await listDirectory(
      { dir: place.real, top: place.root ?? place.real, depth, hidden, exclude, limit },
      { signal: ctx.signal, timeoutMs: maxSearchMs },
    )
    const prefix = place.shown === '.' ? '' : place.shown.endsWith('/') ? place.shown : `${place.shown}/`
    const entries = listing.entries.map(({ name, ...rest }) => ({
      path: prefix + textOfBytes(name),
      ...rest,
    }))
    const failure = searchFailure(listing.ended)
    const notes: string[] = []
    if (listing.total > entries.length) {
      const countText = `${groupDigits(entries.length)} of ${countNoun(listing.total, 'entry', 'entries')}`
      notes.push(`${countText}; raise limit, lower depth or exclude some`)
    }
    if (listing.unreadable > 0) notes.push(`${countNoun(listing.unreadable, 'folder')} could not be read`)
    const data = {
      path: place.shown,
      name: basename(place.real),
      type: 'directory' as const,
      count: entries.length,
      total: listing.total,
      truncated: listing.total > entries.length || failure !== undefined,
      unreadable: listing.unreadable,
      children: args.tree ? nestEntries(entries, prefix) : undefined,
      entries: args.tree ? undefined : entries,
    }
    const lines = listing.entries.map((entry) => describeEntry(entry, args.tree ? undefined : prefix))
    const text = lines.length > 0 ? lines.join('\n') : `${place.shown} has no entries to list`
    return partialResult({ text, data, closing: formatRemarks(notes) }, failure)
  },
})

/**
 * Returns a directory entry as a line: a directory as `src/`, a file with its size in bytes (`?` if unknown),
 * another entry with its type. Without a prefix, the line has only the last name, indented by its depth.
 */
function describeEntry({ name, type, size }: DirectoryEntry, prefix: string | undefined): string {
  const parts = name.split('/')
  const displayName =
    prefix === undefined
      ? '  '.repeat(parts.length - 1) + shownName(parts.at(-1) as string)
      : shownName(Buffer.from(prefix).toString('latin1') + name)
  if (type === 'directory') return `${displayName}/`
  return type === 'file' ? `${displayName}  ${size ?? '?'}` : `${displayName}  ${type}`
}

/**
 * Returns the entries as a tree: each entry is in `children` of its directory, and an entry whose directory
 * is not listed is omitted.
 */
function nestEntries(entries: readonly ListedEntry[], prefix: string): TreeNode[] {
  const top: TreeNode[] = []
  const folders = new Map<string, TreeNode[]>([['', top]])
  for (const entry of entries) {
    const slashIndex = entry.path.lastIndexOf('/')
    const parent = slashIndex < prefix.length ? '' : entry.path.slice(0, slashIndex)
    const node: TreeNode = { name: entry.path.slice(slashIndex + 1), ...entry }
    if (entry.type === 'directory') {
      node.children = []
      folders.set(entry.path, node.children)
    }
    folders.get(parent)?.push(node)
  }
  return top
}
