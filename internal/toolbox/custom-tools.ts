// Custom tools: modules and programs in directories of several tiers (user, workspace). Of tools with one
// name, that of the later tier wins.
import { readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { codeOf } from '../base/errors.ts'
import { isObject } from '../base/untrusted-json.ts'
import type { RunCommand } from '../process/process-command.ts'
import { folderSandbox } from '../tool-support/command-sandbox.ts'
import { createCliTool, describeCli } from './cli-tool.ts'
import { describePrograms, type ToolboxProgram } from './described-programs.ts'
import { type CustomTool, createModuleTools, moduleCommand } from './module-tool.ts'
import { describeProgram } from './program-tool.ts'

export interface ToolTier {
  /** Directory of the modules that define tools. */
  modules: string
  /** File names of the modules that are loaded. Default: all. */
  names?: readonly string[]
  /** Directory of programs that are tools; a workspace has none. */
  programs?: string
  /**
   * True if the tools belong to a workspace. They then do not choose their permission level, and run
   * in the sandbox.
   */
  isWorkspaces: boolean
}

interface CustomToolOptions {
  tiers: readonly ToolTier[]
  run: RunCommand
  cacheDir: string
  /** Time limit in milliseconds for a tool to describe itself. Default: 5000. */
  timeoutMs?: number
  /** Default time limit of a call in seconds. Default: 120. */
  seconds?: number
}

interface FoundTool extends ToolboxProgram {
  tier: ToolTier
  kind: 'module' | 'program'
  page: string | undefined
}

interface FoundTools {
  tools: CustomTool[]
  /**
   * One line for each problem: an unusable file or record, an unreadable directory, a repeated name, or a
   * cache that cannot be written.
   */
  diagnostics: string[]
}

/** Loads the custom tools. Never rejects for an error in a file, which becomes a diagnostic. */
export async function loadCustomTools(options: CustomToolOptions): Promise<FoundTools> {
  const { tiers, run, cacheDir, timeoutMs = 5000, seconds = 120 } = options
  const diagnostics: string[] = []
  const toolFiles = tiers.flatMap((tier) => [
    ...findFiles(tier, tier.modules, 'module', diagnostics),
    ...(tier.programs === undefined ? [] : findFiles(tier, tier.programs, 'program', diagnostics)),
  ])
  if (toolFiles.length === 0) return { tools: [], diagnostics }
  const parts = {
    cacheDir,
    name: 'custom-tools',
    async describe({ path, dir, kind, tier, page }: FoundTool): Promise<unknown> {
      const sandboxed: RunCommand = (command) =>
        run(tier.isWorkspaces ? { ...command, sandbox: folderSandbox(dir) } : command)
      return kind === 'module'
        ? describeProgram(moduleCommand(path), dir, sandboxed, timeoutMs)
        : describeCli(path, page, dir, sandboxed, timeoutMs)
    },
    make({ path, kind, tier }: FoundTool, described: unknown) {
      const loaded =
        kind === 'module'
          ? createModuleTools(path, described, { seconds, isWorkspaces: tier.isWorkspaces })
          : { tools: [createCliTool(path, isObject(described) ? described : {}, seconds)], refused: [] }
      return { tier, path, ...loaded }
    },
  }
  const tools = new Map<string, CustomTool & { tier: ToolTier; path: string }>()
  for (const one of await describePrograms(toolFiles, parts, diagnostics)) {
    if (one.kind === 'unusable') {
      diagnostics.push(one.why)
      continue
    }
    const { path, tier, refused } = one.made
    diagnostics.push(...refused.map((why) => `${path}: ${why}`))
    for (const custom of one.made.tools) {
      const { name } = custom.tool
      const before = tools.get(name)
      if (before?.tier === tier)
        diagnostics.push(`${path}: ${name} is left out, because ${before.path} has one of that name`)
      else tools.set(name, { ...custom, tier, path })
    }
  }
  return { tools: [...tools.values()].map(({ tool, guidance }) => ({ tool, guidance })), diagnostics }
}

const isModule = (name: string) => ['.mjs', '.js'].includes(extname(name))

/**
 * Lists the modules (`.js` and `.mjs`) that the tier loads, or the executable programs, in a directory of
 * tools, without hidden files. A missing directory counts as empty, because most users have none. An
 * unreadable one also adds a diagnostic.
 */
function findFiles(tier: ToolTier, dir: string, kind: FoundTool['kind'], diagnostics: string[]): FoundTool[] {
  let names: string[]
  try {
    names = readdirSync(dir).sort()
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    if (code !== 'ENOENT') diagnostics.push(`${dir}: cannot be read (${code})`)
    return []
  }
  return names.flatMap((name): FoundTool[] => {
    const path = join(dir, name)
    const isWanted = kind === 'module' ? isModule(name) && (tier.names?.includes(name) ?? true) : true
    const file = statOf(path)
    if (name.startsWith('.') || !isWanted || !file?.isFile()) return []
    if (kind === 'program' && (file.mode & 0o111) === 0) return []
    const toolFile = { path, dir, tier, kind, size: file.size, mtime: file.mtimeMs }
    const page = kind === 'program' ? statOf(`${path}.md`) : undefined
    // The description page of a program counts as a part of the tool.
    return page?.isFile()
      ? [
          {
            ...toolFile,
            page: `${path}.md`,
            size: toolFile.size + page.size,
            mtime: toolFile.mtime + page.mtimeMs,
          },
        ]
      : [{ ...toolFile, page: undefined }]
  })
}

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false })
