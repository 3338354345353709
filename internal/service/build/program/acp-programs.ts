// Programs of other agents that can work on tasks of a build, by their names in `--worker`.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { UserError } from '../../../base/errors.ts'
import type { AnodeConfig } from '../../../config/schema.ts'
import { readWorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import type { BudgetLimits } from '../../../store/journal/journal.ts'
import type { BuildRun } from '../build-leader.ts'

/**
 * A program that speaks the Agent Client Protocol, with the hosts, variables and paths to which its
 * sandbox gives access.
 */
export interface AcpProgram {
  /** Name of the program in `--worker`: `acp:NAME`. */
  spec: string
  command: readonly string[]
  /** Names of the hosts that the sandbox of the program can reach. */
  network: readonly string[]
  /** Names of variables that the program gets in addition to the usual ones. */
  env: readonly string[]
  /** Paths that the program may read in addition to the worktree and its own files. */
  read: readonly string[]
  /** Paths that it may write in addition to the worktree. Missing ones are skipped. */
  write: readonly string[]
  /**
   * Milliseconds without a message after which an attempt ends. Time in which the program waits for Anode
   * does not count.
   */
  silenceMs: number
}

/** Name of the worker that is Anode's own agent in this process. */
export const ownWorker = 'agent'

const defaultSilenceMs = 60_000

interface KnownProgram extends Pick<AcpProgram, 'network' | 'env' | 'write'> {
  /** Commands that start the program, in order of preference. */
  commands: readonly (readonly string[])[]
}

const knownPrograms: Readonly<Record<string, KnownProgram>> = {
  claude: {
    commands: [['claude-agent-acp'], ['claude-code-acp']],
    network: ['api.anthropic.com', 'claude.ai', 'platform.claude.com'],
    env: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
    write: ['~/.claude', '~/.claude.json'],
  },
  codex: {
    commands: [['codex-acp']],
    network: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    env: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    write: ['~/.codex'],
  },
  gemini: {
    commands: [['gemini', '--acp']],
    network: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
    env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    write: ['~/.gemini'],
  },
}

interface ProgramPlace {
  config: AnodeConfig['workers']
  /** Model of the build, for `acp:anode`. */
  model: string | undefined
  /** Returns the path of an installed program; undefined if it is not installed. */
  find(program: string): string | undefined
}

/**
 * Throws UserError if the budget has a limit in dollars, but attempts have no time limit. The cost of another
 * program is known only after it has worked.
 */
export function requireKnownCost(
  spec: string,
  budget: BudgetLimits | undefined,
  minutes: number | undefined,
): void {
  if (budget?.usd === undefined || minutes !== undefined) return
  throw new UserError(`the cost of ${spec} is not known before it has worked`, {
    hint: 'add --worker-minutes N to limit each attempt, or leave out --budget-usd',
  })
}

/**
 * Finds the program of `acp:NAME` by the configuration of a workspace. Throws UserError for an unknown name
 * and for a program that is not installed.
 */
export async function openAcpProgram(
  spec: string,
  { project, model, run }: { project: string; model: string | undefined; run: Pick<BuildRun, 'env'> },
): Promise<AcpProgram> {
  const { loaded } = await readWorkspaceContext(project, run.env)
  const folders = (run.env.PATH ?? '').split(delimiter)
  return findAcpProgram(spec, {
    config: loaded.config.workers,
    // the model is passed, because Anode as a worker cannot read the user's configuration in its sandbox
    model: model ?? loaded.config.model,
    find: (program) =>
      (program.includes('/') ? [program] : folders.map((dir) => join(dir, program))).find((path) =>
        existsSync(path),
      ),
  })
}

/** Returns the program of `acp:NAME`. Throws UserError for an unknown name and a program that is missing. */
function findAcpProgram(spec: string, place: ProgramPlace): AcpProgram {
  const name = /^acp:([\w.-]+)$/.exec(spec)?.[1]
  const configProgram = name === undefined ? undefined : place.config?.[name]
  const builtin = name === undefined ? undefined : knownPrograms[name]
  if (name === 'anode' && !configProgram) return anodeProgram(place.model)
  if (!configProgram && !builtin) {
    const names = [...new Set(['anode', ...Object.keys(knownPrograms), ...Object.keys(place.config ?? {})])]
    throw new UserError(`unknown worker "${spec}"`, {
      hint: `the workers are ${[ownWorker, ...names.map((one) => `acp:${one}`)].join(', ')}`,
    })
  }
  const commands = configProgram ? [configProgram.command] : (builtin?.commands ?? [])
  for (const [first = '', ...args] of commands) {
    const file = place.find(first)
    if (file === undefined) continue
    const { network = [], env = [], write = [] } = configProgram ?? builtin ?? {}
    const silenceMs = (configProgram?.silence ?? defaultSilenceMs / 1000) * 1000
    const command = [file, ...args]
    return { spec, command, network, env, read: [], write: write.map(fromHome), silenceMs }
  }
  throw new UserError(`worker ${spec} needs ${commands.map(([first]) => first).join(' or ')}`, {
    hint: 'install it first; a build downloads nothing',
  })
}

const fromHome = (path: string) => path.replace(/^~(?=\/|$)/, homedir())

/** Returns Anode itself as an external worker, for tests. It has no network. */
function anodeProgram(model: string | undefined): AcpProgram {
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'acp']
  const command = model === undefined ? program : [...program, '--model', model]
  const file = /^(?:script|replay):(.*)$/s.exec(model ?? '')?.[1]
  const read = file === undefined ? [] : [file]
  return { spec: 'acp:anode', command, network: [], env: [], read, write: [], silenceMs: defaultSilenceMs }
}
