// Stale reads: the state of files that a session has read, and the check whether they have changed since.
import type { BigIntStats } from 'node:fs'
import { checksum } from '../base/checksum.ts'
import type { Ctx } from '../tool/ctx.ts'

/**
 * Records in `seenFiles` the state of the file at `real`. With all bytes of the file, its content counts, so
 * that a touch or a checkout of the same content is not a change. Without them (a large file that was read in
 * part), the device, inode, size and times count.
 */
export function rememberRead(
  seenFiles: NonNullable<Ctx['seen']>,
  real: string,
  file: { stat: BigIntStats; whole: Uint8Array | undefined },
): void {
  seenFiles.set(real, file.whole ? checksum(file.whole) : stampOf(file.stat))
}

/**
 * Returns true if the session has read or written the file and the file may have changed since. False for a
 * file that the session has neither read nor written.
 */
export function isStaleRead(ctx: Ctx, real: string, file: { stat: BigIntStats; bytes: Uint8Array }): boolean {
  const seenStamp = ctx.seen?.get(real)
  if (seenStamp === undefined) return false
  return seenStamp.startsWith('stat:') ? seenStamp !== stampOf(file.stat) : seenStamp !== checksum(file.bytes)
}

/** Nanoseconds within which the file system's clock may give two writes the same time. */
const clockTickNs = 50_000_000n

function stampOf(stat: BigIntStats): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = stat
  const fresh = BigInt(Date.now()) * 1_000_000n - ctimeNs < clockTickNs
  // A second write could follow unnoticed at the same time, so the stamp of a file that was just written
  // equals no other stamp.
  return `stat:${[dev, ino, size, mtimeNs, ctimeNs].join(':')}${fresh ? `:${process.hrtime.bigint()}` : ''}`
}
