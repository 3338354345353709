// How much one search reads, and what it says where there is more.
import { groupDigits } from '../../base/text/group-digits.ts'

/** Further files are not read; the result says so. */
export const maxSearchedFiles = 50_000
export const maxSearchedBytes = 1_000_000_000

/** What one search leaves out of so much, in one line; undefined where it reads everything. */
export function describeSearchLimit({ files, bytes }: { files: number; bytes: number }): string | undefined {
  if (files <= maxSearchedFiles && bytes <= maxSearchedBytes) return undefined
  const megabytes = groupDigits(Math.round(bytes / 1e6))
  return (
    `there are ${groupDigits(files)} files with ${megabytes} MB: one search reads ` +
    `${groupDigits(maxSearchedFiles)} files or 1 GB of them, what is likeliest to answer first; ` +
    '--root names a part'
  )
}
