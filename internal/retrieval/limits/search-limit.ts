// Limits of what one search reads, and the notice about a directory that contains more.
import { groupDigits } from '../../base/text/count-noun.ts'

/** Largest number of files per search. Further files are not read, and the result says so. */
export const maxSearchedFiles = 50_000
export const maxSearchedBytes = 1_000_000_000

/** Returns one line that says which part of the files a search reads; undefined if it reads all of them. */
export function describeSearchLimit({ files, bytes }: { files: number; bytes: number }): string | undefined {
  if (files <= maxSearchedFiles && bytes <= maxSearchedBytes) return undefined
  const megabytes = groupDigits(Math.round(bytes / 1e6))
  return (
    `there are ${groupDigits(files)} files with ${megabytes} MB: one search reads ` +
    `${groupDigits(maxSearchedFiles)} files or 1 GB of them, what is likeliest to answer first; ` +
    '--root names a part'
  )
}
