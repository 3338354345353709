// The tool glob: finds files by a pattern of their path.

import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { type ByteName, bytesOfText, textOfBytes } from '../../base/text/byte-name.ts'
import { countNoun, groupDigits } from '../../base/text/count-noun.ts'
import { shownName } from '../../base/text/invisible-chars.ts'
import { collectSmallest, listFiles } from '../../search/file-list.ts'
import { compileGlob as compile, type Glob } from '../../search/glob/glob.ts'
import { rebaseGlob } from '../../search/glob/glob-base.ts'
import { ripgrepPrograms } from '../../search/ripgrep/ripgrep.ts'
import {
  bracketHint,
  formatRemarks,
  listRemarks,
  maxSearchMs,
  readExclusion,
  readGlob,
  searchFailure,
} from '../../search/search-report.ts'
import { type PrefixedTree, treeAt } from '../../search/search-tree.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { partialResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { locatePath } from '../../tool-support/path-location.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './glob.md'

const input = z.object({
  pattern: field(z.string().check(z.minLength(1)), 'Such as src/**/*.ts or {a,b}.md'),
  path: field(z._default(z.string(), '.'), 'Directory to search'),
  limit: field(z._default(z.int().check(z.gte(1)), 50), 'Paths to return'),
  include_hidden: field(z._default(z.boolean(), false), 'Also match names that begin with a dot'),
})
type GlobArgs = z.output<typeof input> & VariantArgs<'glob'>

export const glob = defineTool({
  name: 'glob',
  about,
  input,
  example: { pattern: '**/*.test.ts', path: 'src', limit: 100 },
  level: 'auto_read',
  access: ({ pattern, path }) => ({
    scope: [{ kind: 'path', path: rebaseGlob(pattern, path).path, access: 'read' }],
  }),
  async run(args: GlobArgs, ctx) {
    const { tree, pattern } = prepareSearch(args, ctx)
    const means = {
      run: ctx.can.processes.run,
      signal: ctx.signal,
      timeoutMs: maxSearchMs,
      programs: ripgrepPrograms(),
    }
    // A pattern without a slash matches only in this directory. Its matches in subdirectories are counted
    // too, so that a result without matches can mention them. They are not returned.
    const deep = args.pattern.includes('/') || args.anywhere ? undefined : compile(args.pattern, true)
    const offset = args.offset ?? 0
    const first = collectSmallest(args.limit + offset)
    let below = 0
    const folders = args.directories ? await listFolders(tree, pattern, ctx) : []
    first.add(folders)
    const listing = await listFiles({ ...tree, glob: deep ?? tree.glob }, means, (names) => {
      const here = deep ? names.filter((name) => pattern.test(name)) : names
      below += names.length - here.length
      first.add(here)
    })
    const total = listing.total - below + folders.length
    const names = first
      .names()
      .slice(offset)
      .map((name) => bytesOfText(tree.prefix) + name)
    const failure = searchFailure(listing.ended)
    const notes = listRemarks(listing)
    if (total > offset + names.length || offset > 0) {
      const from = offset > 0 ? `after the first ${groupDigits(offset)}` : 'the first in order'
      const countText = `${names.length} of ${countNoun(total, 'match', 'matches')}, ${from}`
      notes.unshift(`${countText}; raise limit or narrow the pattern`)
    }
    const none = `no file matches ${args.pattern}${args.path === '.' ? '' : ` in ${args.path}`}`
    const text =
      names.length > 0
        ? names.map(shownName).join('\n')
        : [none, ...adviceOnNothing(args, pattern.dotted, below)].join('\n')
    const closingRemarks = formatRemarks(notes)
    const data = {
      engine: listing.engine,
      pattern: args.pattern,
      path: tree.prefix.replace(/\/$/, '') || '.',
      matches: names.map(textOfBytes),
      total,
      truncated: total > offset + names.length || failure !== undefined,
      unreadable: listing.unreadable,
    }
    return partialResult({ text, data, closing: closingRemarks }, failure)
  },
})

function prepareSearch(args: GlobArgs, ctx: Ctx): { tree: PrefixedTree; pattern: Glob } {
  const { path, pattern: rest } = rebaseGlob(args.pattern, args.path)
  const pattern = readGlob('pattern', rest, args.anywhere === true)
  const place = locatePath(ctx, path, 'read')
  const tree = treeAt(place, {
    hidden: args.include_hidden,
    guarded: false,
    glob: pattern,
    ignored: args.ignored ?? false,
    exclude: (args.exclude ?? []).map(readExclusion),
  })
  if (!tree.files) return { tree, pattern }
  throw new FailureError({
    code: 'not_a_directory',
    message: `${place.shown} is a file`,
    hint: 'read it, or give its folder as path',
  })
}

/** Returns the names of the directories in the tree that match the pattern, without `.git`. */
async function listFolders(tree: PrefixedTree, pattern: Glob, ctx: Ctx): Promise<ByteName[]> {
  const { listDirectory } = await import('../../search/directory-list.ts')
  const listing = await listDirectory(
    {
      dir: tree.dir,
      top: tree.top,
      depth: Number.POSITIVE_INFINITY,
      hidden: tree.hidden,
      exclude: tree.exclude ?? [],
      limit: Number.POSITIVE_INFINITY,
      ignored: tree.ignored ? 'enter' : 'skip',
    },
    { signal: ctx.signal, timeoutMs: maxSearchMs },
  )
  const folders = listing.entries.filter(
    ({ name, type }) => type === 'directory' && !/(?:^|\/)\.git$/.test(name),
  )
  return folders.map(({ name }) => name).filter((name) => pattern.test(name))
}

/**
 * Returns why a pattern may have matched nothing, and what the caller can try; an empty list if no
 * reason is known.
 */
function adviceOnNothing(args: GlobArgs, dotted: boolean, below: number): string[] {
  const out: string[] = []
  if (below > 0) out.push(`${countNoun(below, 'match', 'matches')} further down: use **/${args.pattern}`)
  if (!args.include_hidden && dotted) {
    out.push('the pattern names dot entries: set include_hidden')
  }
  const brackets = bracketHint(args.pattern)
  if (brackets !== undefined) out.push(brackets)
  return out
}
