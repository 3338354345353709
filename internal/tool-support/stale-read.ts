// Stale reads: remembers what a session has read of a file, and detects that it has changed since.
import type { BigIntStats } from 'node:fs'
import { checksum } from '../base/checksum.ts'
import type { Ctx } from '../tool/ctx.ts'

/**
 * Notes the state of the file at `real`. With all its bytes the content counts: a touch or a checkout of
 * the same content is no change. Without them (a large file of which a prefix was read) the inode, size and
 * times count.
 */
export function rememberRead(
  ctx: Ctx,
  real: string,
  file: { stat: BigIntStats; whole: Uint8Array | undefined },
): void {
  ctx.seen?.set(real, file.whole ? checksum(file.whole) : stampOf(file.stat))
}

/** True when the file was read in this session and is not what it was. */
export function isStaleRead(ctx: Ctx, real: string, file: { stat: BigIntStats; bytes: Uint8Array }): boolean {
  const seen = ctx.seen?.get(real)
  if (seen === undefined) return false
  return seen.startsWith('stat:') ? seen !== stampOf(file.stat) : seen !== checksum(file.bytes)
}

/** Two writes within one tick of the file system's clock leave the same times, in nanoseconds. */
const clockTickNs = 50_000_000n

function stampOf(stat: BigIntStats): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = stat
  const fresh = BigInt(Date.now()) * 1_000_000n - ctimeNs < clockTickNs
  // a file written this very moment may be written again unseen: such a stamp equals no other
  return `stat:${[dev, ino, size, mtimeNs, ctimeNs].join(':')}${fresh ? `:${process.hrtime.bigint()}` : ''}`
}
