// Sizes of files that Anode measures itself after an execution, and the parser of the flag that names them.
import { lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { isMetricName } from './metric-lines.ts'
import { isMeasuredMetric } from './own-measurement.ts'

/** A metric whose value is the size of a file in bytes. The path is relative to the workspace. */
export interface MeasuredFile {
  metric: string
  path: string
}

/**
 * Parses `PATH`, which measures the primary metric, or `METRIC=PATH`, and removes a leading `./`. Throws
 * UserError for a path that is empty, absolute, in `.git`, or has a `*`, a `?` or an empty, `.` or `..` part.
 * Also throws for the metrics `cpu_ms` and `wall_ms`.
 */
export function parseMeasuredFile(text: string, primary: string): MeasuredFile {
  const at = text.indexOf('=')
  const isNamed = at > 0 && isMetricName(text.slice(0, at).trim())
  const metric = isNamed ? text.slice(0, at).trim() : primary
  const path = (isNamed ? text.slice(at + 1) : text).trim().replace(/^(\.\/+)+/, '')
  const parts = path.split('/')
  const fault =
    path === '' || path.startsWith('/') || parts.includes('..') || path.includes('\0')
      ? 'the path must be relative to the workspace and stay inside it'
      : /[*?]/.test(path)
        ? 'a glob cannot be measured; name one file, or let the command copy the result to one'
        : parts.some((part) => part === '' || part === '.') || parts[0] === '.git'
          ? 'the path must name a file of the workspace'
          : isMeasuredMetric(metric)
            ? `${metric} is a time; name a metric such as bundle_bytes`
            : undefined
  if (fault === undefined) return { metric, path }
  throw new UserError(`invalid measured file ${JSON.stringify(text)}: ${fault}`, {
    hint: 'Write --measure-file dist/app.js for the primary metric, or --measure-file NAME=dist/app.js.',
  })
}

/** The size of a file, or the reason why it has no size. */
type FileSize = { bytes: number } | { fault: string }

/**
 * Returns the length in bytes of a regular file below `cwd`, or the reason why it has no length. No part of
 * the path may be a link, so that no other file is measured. Holes of a sparse file count as bytes.
 */
export function measureFileSize(cwd: string, path: string): FileSize {
  const parts = path.split('/')
  for (const [i] of parts.entries()) {
    const name = parts.slice(0, i + 1).join('/')
    const isLast = i === parts.length - 1
    const stat = statusOf(join(cwd, name))
    if (!stat) return { fault: `${name} is missing after the run` }
    if (typeof stat === 'string') return { fault: `${name} cannot be measured: ${stat}` }
    if (stat.isSymbolicLink()) return { fault: `${name} is a link; the run must leave a regular file` }
    if (isLast ? !stat.isFile() : !stat.isDirectory())
      return { fault: `${name} is not a ${isLast ? 'regular file' : 'directory'}` }
    if (isLast) return { bytes: stat.size }
  }
  return { fault: `${path} is missing after the run` }
}

function statusOf(path: string): Stats | string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    return code === 'ENOTDIR' ? undefined : code
  }
}

/** The sizes of several files by metric, or the first reason why one has no size. */
type FileSizes = { sizes: Record<string, number> } | { fault: string }

/**
 * Returns the size of each file in bytes by metric, or the first reason why a file has no size. `provided`
 * contains, by path, the sizes of measured files that the candidate itself contains. If the size of such a
 * file has changed, that is a fault, because no commit would contain the measured file.
 */
export function measureFileSizes(
  cwd: string,
  files: readonly MeasuredFile[],
  provided?: ReadonlyMap<string, number>,
): FileSizes {
  const sizes: Record<string, number> = {}
  for (const { metric, path } of files) {
    const measured = measureFileSize(cwd, path)
    if ('fault' in measured) return measured
    const before = provided?.get(path)
    if (before !== undefined && before !== measured.bytes)
      return {
        fault:
          `${path} has ${before} bytes in the candidate and ${measured.bytes} after the run; ` +
          'take it out of the scope, or commit what the run writes',
      }
    sizes[metric] = measured.bytes
  }
  return { sizes }
}

/**
 * Returns why a measured file does not fit the measurement after the checks: it has grown, is missing or
 * cannot be measured. Returns undefined if all files fit.
 */
export function findGrownFile(
  cwd: string,
  files: readonly MeasuredFile[],
  sizes: Readonly<Record<string, number>>,
): string | undefined {
  for (const { metric, path } of files) {
    const now = measureFileSize(cwd, path)
    if ('fault' in now) return now.fault.replace('after the run', 'after the checks')
    const before = sizes[metric] as number
    if (now.bytes > before)
      return `${path} has ${now.bytes} bytes after the checks, but ${before} were measured before them`
  }
  return undefined
}

/** Matches names of metrics that are probably sizes of files. */
const sizeName = /(^|[_.-])(bytes|size|[kmg]i?b)$/i

/**
 * Returns the notices of `init`: one for each measured file. Without such files, returns a hint if the
 * metric's name looks like a size.
 */
export function measuredFileNotes(config: { metricName: string; files?: readonly MeasuredFile[] }): string[] {
  const { metricName, files = [] } = config
  if (files.length === 0 && sizeName.test(metricName))
    return [
      `the benchmark prints ${metricName}; if it is the size of a file, --measure-file PATH lets Anode ` +
        'measure it in bytes',
    ]
  return files.map(({ metric, path }) => `${metric} is the size of ${path} in bytes, measured after each run`)
}
