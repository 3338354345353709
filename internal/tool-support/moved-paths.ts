// The paths that change when a file or directory is moved: every name below it, before and after the move.
import { lstatSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { FailureError } from '../base/errors.ts'
import { isOrdinary } from '../policy/paths/sensitive-names.ts'
import type { Policy } from '../policy/policy.ts'
import type { Ctx } from '../tool/ctx.ts'
import { type LocatedEntry, locateEntry } from './entry-location.ts'
import { recordWrite } from './file-edits.ts'

/**
 * Largest number of files and directories in a directory that is moved. A larger move is refused, because
 * each name is listed and checked.
 */
const maxMoved = 5_000
/**
 * Largest size in bytes of a move whose contents are stored. A larger move is not recorded, so the user
 * undoes it by moving back.
 */
const maxRecordedBytes = 64 * 1024 * 1024
/**
 * Largest number of names in a moved directory that permission rules judge; with more, the move is refused.
 * If a rule denies or asks by path, all names are judged, otherwise only those that may be sensitive.
 */
const maxJudged = 500

/**
 * Returns the paths by which permission rules judge a move: the old and the new path, and the files below
 * that may be sensitive, under both names. If a rule denies or asks by path, all files below are returned.
 * Throws FailureError `too_large` for a directory with too many entries.
 */
export function movedPaths(source: string, destination: string, ctx: Ctx | undefined): string[] {
  const ends = [source, destination]
  if (!ctx) return ends
  const below = filesBelow(locateEntry(ctx, source, 'write').entry)
  const all = hasPathRules(ctx.policy)
  const judged = below.filter((name) => all || !isOrdinary(`/${name}`))
  if (judged.length > maxJudged) throw tooManyToMove(source, maxJudged)
  return [...ends, ...judged.flatMap((name) => ends.map((end) => `${end.replace(/\/+$/, '')}/${name}`))]
}

/**
 * Records every regular file of a move under both names before the move, so that it can be undone. Does
 * nothing if the files have more than 64 MiB in total.
 */
export async function recordMove(ctx: Ctx, from: LocatedEntry, to: LocatedEntry): Promise<void> {
  const below = filesBelow(from.entry)
  const names = lstatSync(from.entry).isDirectory() ? below.map((name) => `/${name}`) : ['']
  const files = names.filter((name) => lstatSync(from.entry + name).isFile())
  const size = files.reduce((sum, name) => sum + lstatSync(from.entry + name).size, 0)
  if (size > maxRecordedBytes) return
  for (const name of files) {
    await recordWrite(ctx, { path: to.entry + name, bytes: await readFile(from.entry + name) })
    await recordWrite(ctx, { path: from.entry + name, bytes: null })
  }
}

/**
 * Lists the files before a move. The returned function has to be called after the move: it updates what the
 * session knows about read files, and returns messages of language servers.
 */
export function noteMoved(ctx: Ctx, from: LocatedEntry, to: LocatedEntry): () => Promise<string[]> {
  const below = filesBelow(from.entry)
  const names = below.length > 0 || lstatSync(from.entry).isDirectory() ? below : ['']
  const at = (end: LocatedEntry, name: string) => ({
    path: name === '' ? end.entry : `${end.entry}/${name}`,
    shown: name === '' ? end.shown : `${end.shown}/${name}`,
  })
  const old = names.map((name) => at(from, name))
  const fresh = names.map((name) => at(to, name))
  return async () => {
    for (const [i, { path }] of old.entries()) {
      const print = ctx.seen?.get(path)
      ctx.seen?.delete(path)
      const next = fresh[i]?.path as string
      if (print !== undefined) ctx.seen?.set(next, print)
      else ctx.seen?.delete(next)
    }
    const written = [
      ...old.map((file) => ({ ...file, kind: 'removed' as const })),
      ...fresh.map((file) => ({ ...file, kind: 'created' as const })),
    ]
    return (await ctx.can.lsp?.edited(written, ctx.signal)) ?? []
  }
}

/**
 * Returns the paths, relative to `top`, of all entries below it that are not directories; empty if `top` is
 * not a directory. Throws FailureError `too_large` for over 5,000 entries.
 */
function filesBelow(top: string): string[] {
  const out: string[] = []
  let entryCount = 0
  const walk = (dir: string) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (++entryCount > maxMoved) throw tooManyToMove(top, maxMoved)
      const path = join(dir, entry.name)
      if (entry.isDirectory()) walk(path)
      else out.push(relative(top, path))
    }
  }
  if (lstatSync(top, { throwIfNoEntry: false })?.isDirectory()) walk(top)
  return out
}

function tooManyToMove(name: string, limit: number): FailureError {
  const message = `${name} has more than ${limit} entries, and each would need a check`
  return new FailureError({ code: 'too_large', message, hint: 'Move it with bash: mv.' })
}

/** Returns true if a rule of the policy or of a parent policy denies or asks about paths. */
function hasPathRules({ rules, parents }: Policy): boolean {
  return (
    rules.some(({ path, action }) => path !== undefined && action !== 'allow') || parents.some(hasPathRules)
  )
}
