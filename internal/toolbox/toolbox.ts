// Finds the programs of toolbox directories and makes tools of them, asking each only once what it is.
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, FailureError, messageOf, UserError } from '../base/errors.ts'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { Tool } from '../tool/tool.ts'
import { createProgramTool, describeProgram } from './program-tool.ts'

interface Options {
  /** Absolute paths; of two programs with one name the earlier directory's counts. */
  dirs: readonly string[]
  /** Those of `dirs` that belong to a workspace: its programs do not choose their own level. */
  workspaceDirs?: readonly string[]
  run: RunCommand
  /** Made when it is missing. */
  cacheDir: string
  /** How long a program may take to describe itself; default 5 seconds. */
  timeoutMs?: number
  /** How long a call may take when the program does not say, in seconds; default 120. */
  seconds?: number
}

interface Toolbox {
  /** By directory, then by file name. */
  tools: Tool[]
  /** Programs and directories that are not in use, each with its reason, one line each. */
  diagnostics: string[]
}

interface Program {
  path: string
  dir: string
  size: number
  mtime: number
}

type LoadedProgram = { kind: 'usable'; tool: Tool } | { kind: 'unusable'; why: string }

interface Known extends Pick<Program, 'size' | 'mtime'> {
  described: unknown
}

type Cache = Record<string, Known>

/** Programs asked at the same time. */
const maxParallelPrograms = 4
/** Descriptions kept; those used last stay. */
const maxCachedPrograms = 500

/** Never rejects for what programs, directories or the cache are like: that becomes a diagnostic. */
export async function loadToolbox(options: Options): Promise<Toolbox> {
  const { run, cacheDir, timeoutMs = 5000, seconds = 120 } = options
  const diagnostics: string[] = []
  const programs = await findPrograms([...new Set(options.dirs)], diagnostics)
  if (programs.length === 0) return { tools: [], diagnostics }
  const file = join(cacheDir, 'toolbox.json')
  const cache = await readCache(file)
  const fresh: Cache = {}
  const made = await inTurn(programs, async ({ path, dir, size, mtime }): Promise<LoadedProgram> => {
    try {
      const known = cache[path]
      const same = known?.size === size && known.mtime === mtime
      const described = same ? known.described : await describeProgram(path, dir, run, timeoutMs)
      const tool = createProgramTool(path, described, seconds, options.workspaceDirs?.includes(dir))
      if (!same) fresh[path] = { size, mtime, described }
      return { kind: 'usable', tool }
    } catch (error) {
      return { kind: 'unusable', why: `${path}: ${reasonOf(error)}` }
    }
  })
  const found = new Map<string, Tool>()
  const paths = new Map<string, string>()
  for (const [i, one] of made.entries()) {
    if (one.kind === 'unusable') {
      diagnostics.push(one.why)
      continue
    }
    const { tool } = one
    const path = programs[i]?.path ?? ''
    const first = paths.get(tool.name)
    if (first === undefined) {
      found.set(tool.name, tool)
      paths.set(tool.name, path)
    } else diagnostics.push(`${path}: left out, because ${first} is ${tool.name} already; rename one of them`)
  }
  if (Object.keys(fresh).length > 0) await writeCache(cacheDir, file, { ...cache, ...fresh }, diagnostics)
  return { tools: [...found.values()], diagnostics }
}

async function findPrograms(dirs: readonly string[], diagnostics: string[]): Promise<Program[]> {
  const programs: Program[] = []
  for (const dir of dirs) {
    try {
      for (const name of (await readdir(dir)).sort()) {
        const path = join(dir, name)
        if (name.startsWith('.')) continue
        const found = await stat(path).catch(() => undefined)
        // texts, data and folders beside the programs are nobody's fault
        if (!found?.isFile() || (found.mode & 0o111) === 0) continue
        programs.push({ path, dir, size: found.size, mtime: found.mtimeMs })
      }
    } catch (error) {
      diagnostics.push(`${dir}: the toolbox directory cannot be read (${codeOf(error) ?? messageOf(error)})`)
    }
  }
  return programs
}

/** Like map, with at most `maxParallelPrograms` in progress. */
async function inTurn<T, R>(items: readonly T[], each: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await each(items[i] as T)
  }
  await Promise.all(Array.from({ length: Math.min(maxParallelPrograms, items.length) }, worker))
  return results
}

/** What only a person or the system can have caused; anything else is a mistake of ours and is thrown on. */
function reasonOf(error: unknown): string {
  const known = error instanceof UserError || error instanceof FailureError || codeOf(error) !== undefined
  if (!known) throw error
  return messageOf(error)
}

/** Empty when there is none or it cannot be used: all that it holds can be asked for once more. */
async function readCache(file: string): Promise<Cache> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    const value: unknown = JSON.parse(text)
    const programs = isObject(value) && value.version === 1 ? value.programs : undefined
    return isObject(programs) ? (Object.fromEntries(Object.entries(programs).filter(isKnown)) as Cache) : {}
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return {}
  }
}

function isKnown([, entry]: [string, unknown]): boolean {
  return isObject(entry) && typeof entry.size === 'number' && typeof entry.mtime === 'number'
}

async function writeCache(
  cacheDir: string,
  file: string,
  cache: Cache,
  diagnostics: string[],
): Promise<void> {
  const programs = Object.fromEntries(Object.entries(cache).slice(-maxCachedPrograms))
  try {
    await mkdir(cacheDir, { recursive: true })
    await writeAtomic(file, Buffer.from(JSON.stringify({ version: 1, programs })), { mode: 0o600 })
  } catch (error) {
    diagnostics.push(`${file}: descriptions cannot be kept (${reasonOf(error)})`)
  }
}
