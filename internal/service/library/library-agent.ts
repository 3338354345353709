// Agent for programs that use Anode as a library. Its options are checked when it is created, and all tasks
// are in one thread.

import { resolve } from 'node:path'
import { messageOf, UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { modes } from '../../policy/level.ts'
import { findProfile } from '../../profile/profile-set.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import { type HeadlessRunResult, runHeadless } from '../../runtime/run/headless-run.ts'
import type { RuntimeOptions } from '../../runtime/runtime.ts'
import { checkToolsetModel, chooseThreadToolset } from '../../runtime/toolset/requested-toolset.ts'
import { declareTools } from '../../runtime/toolset/tool-declarations.ts'
import type { ApprovalReply } from '../../tool/ask.ts'
import type { ApprovalHandler } from '../../tool/ctx.ts'
import { features } from '../features/index.ts'
import { checkOffered, requestTools } from './library-tools.ts'
import type {
  FunctionDeclaration,
  LibraryAgent,
  LibraryOptions,
  LibraryRunLimits,
  LibraryRunResult,
} from './library-types.ts'

/**
 * Creates an agent with the given options for another program. Throws UserError for invalid options and for
 * an unusable profile, toolset, model or tool.
 */
export async function createLibraryAgent(options: LibraryOptions): Promise<LibraryAgent> {
  checkOptions(options)
  // the options are copied, so that later changes of the caller's object have no effect
  const agentOptions: LibraryOptions = { ...options, workspaceRoot: resolve(options.workspaceRoot) }
  const tools = await checkAgent(agentOptions)
  let thread: string | undefined
  let last: Promise<unknown> = Promise.resolve()
  return {
    tools,
    run(task, limits = {}) {
      const turn = last.then(async () => {
        const result = await runTask(agentOptions, task, limits, thread)
        thread = result.thread
        return result
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

const optionNames =
  'model workspaceRoot toolset tools extraTools profile approval approve addDirs maxTurns env onEvent'.split(
    ' ',
  )

function checkOptions(options: LibraryOptions): void {
  const odd = Object.keys(options ?? {}).find((name) => !optionNames.includes(name))
  if (odd !== undefined)
    throw new UserError(`unknown option "${odd}"`, {
      hint: suggestNames(odd, optionNames) || `known are ${optionNames.join(', ')}`,
    })
  for (const name of ['model', 'workspaceRoot'] as const)
    if (typeof options?.[name] !== 'string' || options[name] === '')
      throw new UserError(`${name} is missing`, { hint: `createAgent({model, workspaceRoot, …})` })
  const { approval = 'ask', maxTurns = 1 } = options
  if (!modes.includes(approval))
    throw new UserError(`approval: unknown mode "${approval}"`, { hint: `known are ${modes.join(', ')}` })
  if (!(Number.isInteger(maxTurns) && maxTurns > 0))
    throw new UserError('maxTurns must be a whole number above 0')
}

/**
 * Checks the profile, toolset, model and tools before a thread exists. Returns the tools that the model will
 * get. Throws UserError for an unusable one.
 */
async function checkAgent(options: LibraryOptions): Promise<FunctionDeclaration[]> {
  const runtime = await openRuntime(runtimeOptions(options, new AbortController().signal))
  try {
    const { config } = runtime.context.loaded
    const profile = findProfile(await runtime.profiles(), options.profile ?? config.profile)
    const name = chooseThreadToolset({ asked: options.toolset, profile, config })
    const request = requestTools(options)
    await runtime.openToolset({ ...request, name })
    checkToolsetModel(await runtime.model(options.model), runtime.toolset === undefined)
    const listed = runtime.tools(profile)
    checkOffered(request, listed, runtime.entries())
    return declareTools(listed.filter(({ hidden }) => hidden === undefined))
  } finally {
    await runtime.close()
  }
}

function runtimeOptions(options: LibraryOptions, signal: AbortSignal, deadline?: number): RuntimeOptions {
  const { workspaceRoot, env = process.env, approval = 'ask', addDirs = [] } = options
  return {
    cwd: workspaceRoot,
    env,
    signal,
    features,
    mode: approval,
    addDirs,
    terminal: undefined,
    toolset: requestTools(options, () => deadline),
  }
}

async function runTask(
  options: LibraryOptions,
  task: string,
  limits: LibraryRunLimits,
  thread: string | undefined,
): Promise<LibraryRunResult> {
  if (typeof task !== 'string' || task.trim() === '') throw new UserError('the task is empty')
  const { signal = new AbortController().signal, timeoutSeconds, tokens, usd } = limits
  const deadline = timeoutSeconds === undefined ? undefined : Date.now() + timeoutSeconds * 1000
  const { profile, model, maxTurns, onEvent } = options
  const notes: string[] = []
  const ran = await runHeadless({
    ...runtimeOptions(options, signal, deadline),
    prompt: task,
    model,
    profile,
    maxTurns,
    resume: thread === undefined ? undefined : { thread, fork: false },
    caps: { tokens, usd, deadline },
    ask: answerWith(options),
    show: ({ type, payload }) => onEvent?.({ type, payload }),
    inbox: async () => [],
    note: (text) => notes.push(text),
  })
  return toRunResult(ran, notes)
}

/**
 * Returns a handler that asks the program for approval with its function `approve`. The call is denied unless
 * `approve` returns true or `{ allow: true }`.
 */
function answerWith({ approve }: LibraryOptions): ApprovalHandler {
  return async ({ tool, args, cwd, reasons }): Promise<ApprovalReply> => {
    if (!approve) return { allow: false, why: 'the program answers no questions', unanswered: true }
    try {
      const answer = await approve({ tool, args, cwd, reasons })
      const { allow, why } = typeof answer === 'object' && answer !== null ? answer : { allow: answer }
      const isAllowed = allow === true
      return { allow: isAllowed, why: why ?? `the program ${isAllowed ? 'allowed' : 'denied'} it` }
    } catch (error) {
      return { allow: false, why: `the program could not answer: ${messageOf(error)}` }
    }
  }
}

function toRunResult(ran: HeadlessRunResult, notes: readonly string[]): LibraryRunResult {
  const { input, output, usd, requests, calls } = ran.spent
  const { end, text } = ran.end
  return {
    end,
    text,
    ...('reason' in ran.end && { reason: ran.end.reason }),
    ...('message' in ran.end && { message: ran.end.message }),
    thread: ran.thread,
    model: ran.model,
    spent: { input, output, usd, requests, calls },
    unanswered: ran.unanswered.map(({ tool, subject, count }) => ({ tool, subject, count })),
    notes,
  }
}
