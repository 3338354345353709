// The record of the files that a sandboxed command has changed, with their earlier bytes, for undo.
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fingerprint } from '../../base/fingerprint.ts'
import { runHardenedGit } from '../../process/git/git.ts'
import { findGitLayout } from '../../process/git/git-layout.ts'
import type { FileChange, SandboxReport } from '../../process/process-command.ts'
import type { Ctx } from '../../tool/ctx.ts'

/**
 * Largest number of changed files that are recorded for one command. `anode undo` does not
 * restore further ones.
 */
const maxRecorded = 1000
/**
 * Largest size in bytes of a file whose content is stored and compared. The content of a larger file
 * cannot be restored.
 */
const maxFileBytes = 1 << 20

/**
 * Placeholder for the fingerprint of content that is too large or was not stored. It differs
 * from all fingerprints.
 */
const unkept = 'unkept'

/**
 * Records the files that a command has changed. If the record is incomplete, returns lines about changes that
 * cannot be undone.
 */
export async function recordCommandChanges(
  ctx: Ctx,
  { files, index, all }: NonNullable<SandboxReport['changes']>,
): Promise<string[]> {
  const recorded = files.slice(0, maxRecorded)
  const fromGit = await readFromIndex(ctx, recorded, index)
  for (const change of recorded) {
    const { path, before } = change
    const bytes = before?.from === 'git' ? fromGit.get(path) : before?.from
    const after = printOf(path)
    const earlierPrint = before && bytes instanceof Uint8Array ? fingerprint(Buffer.from(bytes)) : unkept
    // A file to which the command wrote the same content again has not changed.
    if (before && earlierPrint === after && before.mode === modeOf(path)) continue
    const whole = before && bytes instanceof Uint8Array ? await ctx.log.keep(ctx.call.id, bytes) : undefined
    if (whole === '') return []
    await ctx.log.append({
      type: 'file.written',
      payload: {
        call: ctx.call.id,
        tool: ctx.call.tool ?? '',
        path,
        after,
        before: before && { hash: earlierPrint, mode: before.mode },
        whole: whole || undefined,
      },
    })
  }
  const more = files.length - recorded.length
  return [
    ...(more > 0 ? [`note: it changed ${more} more files, which \`anode undo\` does not cover`] : []),
    ...(all ? [] : ['note: this directory has more files than `anode undo` can track']),
  ]
}

/**
 * Returns the fingerprint of a file's content, or `unkept` for a file above the size limit; null if the file
 * is missing or cannot be read.
 */
function printOf(path: string): string | null {
  try {
    if (lstatSync(path).size > maxFileBytes) return unkept
    return fingerprint(readFileSync(path))
  } catch {
    return null
  }
}

const modeOf = (path: string) => (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o7777

/**
 * Returns the bytes that files of at most 1 MiB had before the command, by path, as git writes them from its
 * earlier index. Skips a file that git writes with another size. Empty without an index or a repository.
 */
async function readFromIndex(
  ctx: Ctx,
  files: readonly FileChange[],
  index: Uint8Array | undefined,
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  const gitChanges = files.filter(({ before }) => before?.from === 'git' && before.size <= maxFileBytes)
  const layout = findGitLayout(ctx.policy.roots.workspace)
  if (gitChanges.length === 0 || index === undefined || !layout || !ctx.can.processes.run) return contents
  const dir = mkdtempSync(join(tmpdir(), 'anode-undo-'))
  try {
    const file = join(dir, 'index')
    writeFileSync(file, index)
    const args = ['checkout-index', '-z', '--stdin', `--prefix=${dir}/files/`]
    const input = gitChanges.map(({ path }) => `${relative(layout.top, path)}\0`).join('')
    const extraEnv = { GIT_INDEX_FILE: file }
    await runHardenedGit(ctx.can.processes.run, layout.top, args, { input, extraEnv, timeoutMs: 10_000 })
    for (const { path, before } of gitChanges) {
      const place = join(dir, 'files', relative(layout.top, path))
      if (lstatSync(place, { throwIfNoEntry: false })?.size === before?.size)
        contents.set(path, readFileSync(place))
    }
    return contents
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
