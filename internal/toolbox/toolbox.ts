// Tools of the programs in toolbox directories. A program is asked for its description only if it is new, has
// changed, or was unusable before.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, messageOf } from '../base/errors.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { Tool } from '../tool/tool.ts'
import { folderSandbox } from '../tool-support/command-sandbox.ts'
import { describePrograms, type ToolboxProgram } from './described-programs.ts'
import { createProgramTool, describeProgram } from './program-tool.ts'

interface ToolboxOptions {
  /**
   * Absolute paths of the directories. Of two tools with one name, the one from the earlier directory wins.
   */
  dirs: readonly string[]
  /**
   * Directories of `dirs` that belong to a workspace. Their programs do not choose their permission level.
   */
  workspaceDirs?: readonly string[]
  run: RunCommand
  /** Directory of the cache; created if missing. */
  cacheDir: string
  /** Time limit in milliseconds for a program to describe itself. Default: 5000. */
  timeoutMs?: number
  /** Default time limit of a call in seconds. Default: 120. */
  seconds?: number
}

interface LoadedToolbox {
  /** Tools in the order of `dirs`, then by the names of their files. */
  tools: Tool[]
  /**
   * One line for each problem: an unusable program, an unreadable directory, a repeated name, or a cache that
   * cannot be written.
   */
  diagnostics: string[]
}

/**
 * Loads the toolbox tools. Never rejects for an error in a program, directory or the cache, which
 * becomes a diagnostic.
 */
export async function loadToolbox(options: ToolboxOptions): Promise<LoadedToolbox> {
  const { run, cacheDir, workspaceDirs = [], timeoutMs = 5000, seconds = 120 } = options
  const diagnostics: string[] = []
  const programs = await findPrograms([...new Set(options.dirs)], diagnostics)
  if (programs.length === 0) return { tools: [], diagnostics }
  const parts = {
    cacheDir,
    name: 'toolbox',
    describe({ path, dir }: ToolboxProgram) {
      const sandbox = workspaceDirs.includes(dir) && { sandbox: folderSandbox(dir) }
      const asking = { file: path, args: [], extraEnv: { TOOLBOX_ACTION: 'describe' } }
      return describeProgram(asking, dir, (command) => run({ ...command, ...sandbox }), timeoutMs)
    },
    make: ({ path, dir }: ToolboxProgram, described: unknown) => ({
      path,
      tool: createProgramTool(path, described, seconds, workspaceDirs.includes(dir)),
    }),
  }
  const toolsByName = new Map<string, { tool: Tool; path: string }>()
  for (const one of await describePrograms(programs, parts, diagnostics)) {
    if (one.kind === 'unusable') {
      diagnostics.push(one.why)
      continue
    }
    const { tool, path } = one.made
    const first = toolsByName.get(tool.name)
    if (!first) toolsByName.set(tool.name, one.made)
    else
      diagnostics.push(`${path}: left out, because ${first.path} is ${tool.name} already; rename one of them`)
  }
  return { tools: [...toolsByName.values()].map(({ tool }) => tool), diagnostics }
}

async function findPrograms(dirs: readonly string[], diagnostics: string[]): Promise<ToolboxProgram[]> {
  const programs: ToolboxProgram[] = []
  for (const dir of dirs) {
    try {
      for (const name of (await readdir(dir)).sort()) {
        const path = join(dir, name)
        if (name.startsWith('.')) continue
        const fileStats = await stat(path).catch(() => undefined)
        // Texts, data and directories next to the programs are skipped without an error.
        if (!fileStats?.isFile() || (fileStats.mode & 0o111) === 0) continue
        programs.push({ path, dir, size: fileStats.size, mtime: fileStats.mtimeMs })
      }
    } catch (error) {
      diagnostics.push(`${dir}: the toolbox directory cannot be read (${codeOf(error) ?? messageOf(error)})`)
    }
  }
  return programs
}
