// One plugin in use: its description, its process, its tools, and its decisions that deny calls.

import { type Stats, statSync } from 'node:fs'
import { basename } from 'node:path'
import { FailureError, messageOf, UserError } from '../base/errors.ts'
import { fileMessageOf } from '../base/files/errno.ts'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { timeLimit, unlessAborted } from '../base/time-limit.ts'
import type { Event } from '../event/event.ts'
import { type Level, levels } from '../policy/level.ts'
import type { SandboxRequest, ShowStart, SpawnProcess } from '../process/process-command.ts'
import { restartProcess } from '../process/restart.ts'
import type { Ctx } from '../tool/ctx.ts'
import { failedResult, type ToolResult } from '../tool/result.ts'
import { defineTool, type Tool } from '../tool/tool.ts'
import { parseToolSchema } from '../tool-support/tool-schema.ts'
import { connectPlugin, type PluginConnection } from './connection.ts'
import type {
  PluginCallResult,
  PluginDecideCapability,
  PluginDecision,
  PluginDecisionRequest,
  PluginInitializeRequest,
  PluginInitializeResult,
  PluginRunEvent,
  PluginToolDescription,
} from './protocol.ts'
import { protocolVersion } from './protocol.ts'

export interface PluginSetting {
  /** Absolute path of the plugin's program. */
  path: string
  /** True if the workspace contains the plugin. Its tools then always have the level `confirm_execute`. */
  own: boolean
  /** Returns the sandbox of the plugin. Default: the plugin runs with all permissions of the user. */
  sandbox?: (() => Promise<SandboxRequest>) | undefined
}

export interface PluginHostOptions {
  spawn: SpawnProcess
  workspace: string
  version: string
  startMs: number
  callMs: number
  showStart?: ShowStart | undefined
}

/** A plugin's description of itself, stored until the size or modification time of its file changes. */
export interface PluginManifest {
  size: number
  mtime: number
  said: PluginInitializeResult
  tools: PluginToolDescription[]
}

export interface Plugin {
  readonly path: string
  readonly about: PluginManifest
  readonly tools: readonly Tool[]
  /** Types of events that the plugin receives; `all` for every type. */
  readonly events: 'all' | readonly string[]
  readonly decide: PluginDecideCapability | undefined
  /** Sends an event, starting the plugin if needed. An event that cannot be sent is lost. */
  tell(thread: string | undefined, event: Event): void
  /** Asks if a call may run. Resolves to a denial or undefined; errors deny unless `onError` is `allow`. */
  ask(question: PluginDecisionRequest, signal: AbortSignal): Promise<{ deny: string } | undefined>
  close(): Promise<void>
}

const maxDecisionMs = 5000
const shutdownMs = 1000
const never = new AbortController().signal

/** A plugin that runs, with its answer to `initialize`. */
interface RunningPlugin {
  made: PluginConnection
  said: PluginInitializeResult
}

type PluginProcess = ReturnType<typeof restartProcess<RunningPlugin>>

/**
 * Opens a plugin, and starts it unless `cache`, its stored manifest, is of the current file. Rejects
 * with UserError, FailureError, or the reason of `signal`.
 */
export async function openPlugin(
  setting: PluginSetting,
  cache: PluginManifest | undefined,
  means: PluginHostOptions,
  signal: AbortSignal,
): Promise<Plugin> {
  const stat = statPlugin(setting.path)
  if (!stat) throw new UserError('the file does not exist')
  if (!stat.isFile() || (stat.mode & 0o111) === 0) throw new UserError('it is not an executable file')
  const { size, mtimeMs: mtime } = stat
  const life = startOnDemand(setting, means)
  try {
    const { startMs, showStart = (_, start) => start } = means
    const ask = () => showStart(basename(setting.path), describePlugin(life, startMs, signal))
    const about =
      cache && isOfFile(cache, stat) ? cache : { size, mtime, ...(await unlessAborted(ask(), signal)) }
    return createPlugin(setting, about, life, means)
  } catch (error) {
    await stopPlugin(life)
    throw error
  }
}

/** Returns whether the manifest is of the current file, by its size and modification time. */
export const isOfFile = (
  about: PluginManifest,
  { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>,
): boolean => about.size === size && about.mtime === mtimeMs

/** Returns the file's state, or undefined if it is missing. Throws UserError if it cannot be examined. */
function statPlugin(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw new UserError(fileMessageOf(error, path), { cause: error })
  }
}

/** Returns the plugin's process, which is started and initialized on first use. */
function startOnDemand({ path, sandbox }: PluginSetting, means: PluginHostOptions): PluginProcess {
  const life: PluginProcess = restartProcess(`the plugin ${path}`, async () => {
    const link = await connectPlugin({ path, cwd: means.workspace, sandbox: await sandbox?.() }, means.spawn)
    const hello: PluginInitializeRequest = {
      protocolVersion,
      client: { name: 'anode', version: means.version },
      workspace: means.workspace,
    }
    try {
      const greeting = checkGreeting(await link.ask('initialize', hello, means.startMs, life.closing))
      void link.ended.then(() => {
        if (!life.closing.aborted) life.broke()
      })
      return { made: link, said: greeting }
    } catch (error) {
      await link.close()
      throw error
    }
  })
  return life
}

async function describePlugin(
  life: PluginProcess,
  ms: number,
  signal: AbortSignal,
): Promise<Pick<PluginManifest, 'said' | 'tools'>> {
  const { made: link, said } = await life.get()
  const { tools: has } = said.capabilities ?? {}
  const list = has ? ((await link.ask('tools/list', {}, ms, signal)) as { tools?: unknown }) : {}
  return { said, tools: Array.isArray(list?.tools) ? (list.tools as PluginToolDescription[]) : [] }
}

async function stopPlugin(life: PluginProcess): Promise<void> {
  life.close()
  const last = await life.current?.catch(() => undefined)
  // A plugin answers `shutdown` after every earlier event, even if it does not know this request.
  const farewell = last?.said.capabilities?.events
    ? last.made.ask('shutdown', {}, shutdownMs, never)
    : undefined
  await farewell?.catch(() => undefined)
  await last?.made.close()
}

/** Creates a plugin. Throws UserError for an invalid manifest. */
function createPlugin(
  { path, own: isOwn }: PluginSetting,
  about: PluginManifest,
  life: PluginProcess,
  means: PluginHostOptions,
): Plugin {
  const { name, capabilities } = checkGreeting(about.said)
  const decide = capabilities?.decide === true ? {} : capabilities?.decide || undefined
  const use = async (work: (made: PluginConnection) => Promise<unknown>) => work((await life.get()).made)
  const call = (what: string, params: unknown, ctx: Ctx) =>
    use((link) => link.ask(what, params, means.callMs, ctx.signal))
  let telling: Promise<unknown> = Promise.resolve()
  return {
    path,
    about,
    tools: about.tools.map((one) => toolOf(name, one, isOwn, call)),
    events: capabilities?.events === true ? 'all' : capabilities?.events || [],
    decide,
    tell(thread, event) {
      const params: PluginRunEvent = { thread: thread ?? null, event }
      telling = telling.then(() => use(async (link) => link.tell('run/event', params))).catch(() => undefined)
    },
    async ask(question, until) {
      const ms = Math.min(decide?.timeoutMs ?? maxDecisionMs, maxDecisionMs)
      try {
        const verdict = await use((link) => link.ask('run/decide', question, ms, until))
        return vetoOf(verdict as PluginDecision | null, name)
      } catch (error) {
        if (decide?.onError === 'allow') return undefined
        return { deny: `the plugin ${name} could not be asked: ${messageOf(error)}` }
      }
    },
    async close() {
      // Pending events still reach the plugin before it ends, unless that takes longer than `startMs`.
      await unlessAborted(telling, timeLimit(means.startMs)).catch(() => undefined)
      await stopPlugin(life)
    },
  }
}

/** Returns the denial; undefined if the plugin allows the call or decides nothing. Other decisions deny. */
function vetoOf(verdict: PluginDecision | null, name: string): { deny: string } | undefined {
  const decision: unknown = typeof verdict === 'object' ? verdict?.decision : verdict
  if (decision === undefined || decision === null || decision === 'allow') return undefined
  if (!verdict || typeof verdict !== 'object' || decision !== 'deny')
    return {
      deny: `the plugin ${name} answered run/decide with ${JSON.stringify(decision)}, not "deny" or "allow"`,
    }
  const reason = stripControlCharacters(String(verdict.reason ?? '')).slice(0, 500)
  return { deny: reason || `the plugin ${name} refused` }
}

/** Checks version, name and `decide` in an answer to `initialize`. Throws UserError if one is invalid. */
function checkGreeting(value: unknown): PluginInitializeResult {
  const greeting = (typeof value === 'object' ? value : null) as Partial<PluginInitializeResult> | null
  if (greeting?.protocolVersion !== protocolVersion) {
    throw new UserError(
      `it speaks protocol version ${String(greeting?.protocolVersion)}, needed is ${protocolVersion}`,
    )
  }
  if (
    typeof greeting.name !== 'string' ||
    !/^[A-Za-z][A-Za-z0-9_-]{0,29}$/.test(greeting.name) ||
    greeting.name.includes('__')
  ) {
    throw new UserError(`it has no usable name: ${JSON.stringify(greeting.name)}`)
  }
  checkDecide(greeting.capabilities?.decide)
  return greeting as PluginInitializeResult
}

/** Throws UserError if `decide` is malformed, because such a plugin would never be asked. */
function checkDecide(decide: unknown): void {
  if (decide === undefined || decide === null || typeof decide === 'boolean') return
  const { tools, timeoutMs } = decide as Record<string, unknown>
  const isList =
    tools === undefined || (Array.isArray(tools) && tools.every((one) => typeof one === 'string'))
  const isTime = timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs > 0)
  if (typeof decide !== 'object' || !isList || !isTime)
    throw new UserError(
      `its capability decide is ${JSON.stringify(decide)}; write true, or an object with tools (a list ` +
        'of names) and timeoutMs (a positive number)',
    )
}

function toolOf(
  plugin: string,
  described: PluginToolDescription,
  isOwn: boolean,
  call: (method: string, params: unknown, ctx: Ctx) => Promise<unknown>,
): Tool {
  const { name, description, inputSchema } = described ?? {}
  if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9_-]{0,24}$/.test(name)) {
    throw new UserError(`its tool ${JSON.stringify(name)} has an unusable name`)
  }
  const about = stripControlCharacters(String(description ?? ''))
  if (about === '') throw new UserError(`its tool ${name} has no description`)
  return defineTool({
    name: `plugin__${plugin}__${name}`,
    about,
    ...parseToolSchema(inputSchema),
    level: levelOf(described, isOwn),
    access: () => ({ does: `uses a tool of the plugin ${plugin}` }),
    clip: { chars: 30_000, lines: 1000, keep: 'ends' },
    async run(args, ctx): Promise<ToolResult> {
      const params = { name, arguments: args, call: ctx.call.id, thread: ctx.thread ?? null }
      const callResult = (await call('tools/call', params, ctx)) as PluginCallResult | null
      if (typeof callResult !== 'object' || callResult === null) {
        throw new FailureError({
          code: 'command_failed',
          message: `${name} of the plugin ${plugin} gave back no object`,
        })
      }
      const data = callResult.data ?? null
      if (typeof callResult.failed === 'string')
        return failedResult('command_failed', callResult.failed, { data })
      return {
        text: typeof callResult.text === 'string' ? callResult.text : JSON.stringify(data, null, 2),
        data,
      }
    },
  })
}

/** Returns the level of a tool; `confirm_execute` if `isOwn`. Throws UserError for a forbidden level. */
function levelOf({ name, level = 'confirm_execute' }: PluginToolDescription, isOwn: boolean): Level {
  const validLevel = levels.find((one) => one === level && one !== 'interactive' && one !== 'delegated')
  if (validLevel === undefined)
    throw new UserError(`its tool ${name} names the unknown level ${JSON.stringify(level)}`)
  return isOwn ? 'confirm_execute' : validLevel
}
