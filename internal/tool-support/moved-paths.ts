// What moving a file or folder touches: every name below it, before and after.
import { lstatSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { FailureError } from '../base/errors.ts'
import { isOrdinary } from '../policy/paths/sensitive-names.ts'
import type { Policy } from '../policy/policy.ts'
import type { Ctx } from '../tool/ctx.ts'
import { type LocatedEntry, locateEntry } from './entry-location.ts'
import { recordWrite } from './file-edits.ts'

/** Most entries of a folder that is moved: each of them is judged and told of. */
const maxMoved = 5_000
/** Larger moves keep no contents: they are undone by moving back. */
const maxRecordedBytes = 64 * 1024 * 1024
/** Most names below that a call puts up for judgement; where rules speak of paths all of them are. */
const maxJudged = 500

/**
 * The paths that a move is judged by: both ends, and of a folder what lies in it under its old and its new
 * name, where a name or a rule may speak against it. Throws FailureError `too_large` for a larger folder.
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

/** Puts every file of a move on record under both names, before it is made, so that it can be undone. */
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

/** Looks at what is moved; to be called once it has happened, for what language servers say to it. */
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

/** Everything below that is no folder, by relative path; empty for what is no folder. */
function filesBelow(top: string): string[] {
  const out: string[] = []
  let seen = 0
  const walk = (dir: string) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (++seen > maxMoved) throw tooManyToMove(top, maxMoved)
      const path = join(dir, entry.name)
      if (entry.isDirectory()) walk(path)
      else out.push(relative(top, path))
    }
  }
  if (lstatSync(top, { throwIfNoEntry: false })?.isDirectory()) walk(top)
  return out
}

function tooManyToMove(name: string, limit: number): FailureError {
  const message = `${name} holds more than ${limit} entries that would have to be judged one by one`
  return new FailureError({ code: 'too_large', message, hint: 'Move it with bash: mv.' })
}

/** Whether a rule, here or above, forbids or asks about paths. */
function hasPathRules({ rules, parents }: Policy): boolean {
  return (
    rules.some(({ path, action }) => path !== undefined && action !== 'allow') || parents.some(hasPathRules)
  )
}
