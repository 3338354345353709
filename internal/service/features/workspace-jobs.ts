// The scheduled jobs of one workspace, validated when they are created and stored in the user's database.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { FailureError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text/quoting/shell-word.ts'
import { parseSchedule } from '../../cron/schedule.ts'
import type { ProfileSet } from '../../profile/profile-set.ts'
import { adviseCommand, startsProgram } from '../../proof/check-command.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'
import {
  loadWorkspaceProfiles,
  readWorkspaceContext,
  type WorkspaceContext,
} from '../../runtime/workspace/workspace.ts'
import type { CronJob } from '../../store/cron/cron-store.ts'
import type { Store } from '../../store/store.ts'
import type { CronJobs, CronRequest } from '../../tool/cron-jobs.ts'
import { loadToolset } from '../../toolset/index.ts'

const maxPromptBytes = 16 << 10
const maxNameChars = 60

interface JobContext {
  /** Real path of the workspace. */
  workspace: string
  env: EnvironmentVariables
  store: () => Promise<Store>
  /** Returns the names of the profiles that a run may use. */
  profiles: () => Promise<readonly string[]>
}

/** Runs `use` with the jobs of the workspace, and closes the store afterwards. */
export async function withWorkspaceJobs<T>(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  use: (jobs: CronJobs) => Promise<T>,
): Promise<T> {
  const context = await readWorkspaceContext(cwd, env)
  return withDataStore(env, (store) => use(openSessionCron(context, async () => store)))
}

/**
 * Returns the next times of a schedule after the time `after`, at most `count`. All times are in
 * milliseconds since 1970. Default of `timezone`: the time zone of this machine. Throws FailureError
 * `bad_args` for an invalid schedule.
 */
export function listSlots(
  expression: string,
  timezone: string | undefined,
  { after, count }: { after: number; count: number },
): number[] {
  return parseSchedule(expression, timezone).following(after, count)
}

/** Opens the jobs of a session on its store. */
export function openSessionCron(context: WorkspaceContext, store: () => Promise<Store>): CronJobs {
  const profiles = async () => profileNames(await loadWorkspaceProfiles(context))
  return openWorkspaceJobs({ workspace: context.workspace, env: context.env, store, profiles })
}

/** Returns the names and aliases of profiles. */
const profileNames = ({ all, aliases }: ProfileSet): string[] => [
  ...all.map(({ name }) => name),
  ...aliases.keys(),
]

export function openWorkspaceJobs(context: JobContext): CronJobs {
  const { workspace, env } = context
  const jobs = async () => (await context.store()).cron
  const find = async (name: string) => (await jobs()).find(workspace, name)
  return {
    create: async (request) => {
      const store = await jobs()
      const job = await checkRequest(request, context)
      const jobNames = store.list(workspace).map(({ name }) => name)
      return store.add({ ...job, name: request.name ?? suggestJobName(job.prompt, jobNames) })
    },
    list: async () => {
      const store = await jobs()
      return store.list(workspace).map((job) => ({ ...job, last: store.history(job.id, 1)[0] }))
    },
    find,
    remove: async (name) => {
      const job = await find(name)
      ;(await jobs()).remove(job.id)
      return job
    },
    enable: async (name, enabled) => {
      const job = await find(name)
      const { next } = parseSchedule(job.schedule, job.timezone)
      ;(await jobs()).setNext(job.id, enabled ? (next(Date.now()) ?? null) : null)
      return find(job.id)
    },
    history: async (name, limit) => (await jobs()).history((await find(name)).id, limit),
    crontabLine: () => crontabLine(env),
  }
}

async function checkRequest(
  { name, schedule: expression, timezone, kind, prompt, flags }: CronRequest,
  { workspace, env, profiles }: JobContext,
): Promise<Omit<CronJob, 'id' | 'created' | 'enabled'>> {
  if (name !== undefined && !/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(name))
    throw badArgs(
      `invalid job name ${JSON.stringify(name.slice(0, 80))}`,
      'Letters, digits, . _ - and spaces.',
    )
  if (name !== undefined && name.length > maxNameChars)
    throw badArgs(`the name of the job has more than ${maxNameChars} characters`)
  if (prompt.trim() === '') throw badArgs('the task of the job is empty')
  if (Buffer.byteLength(prompt) > maxPromptBytes) throw badArgs('the task of the job has more than 16 KiB')
  const { profile, toolset } = flags
  const knownProfiles = profile === undefined ? [] : await profiles()
  if (profile !== undefined && !knownProfiles.includes(profile))
    throw badArgs(`unknown profile "${profile}"`, `Known: ${knownProfiles.join(', ')}.`)
  const prose = flags.until?.split('\n').find((command) => !startsProgram(command, workspace, env))
  if (prose !== undefined)
    throw badArgs(`the check of the job cannot start: program not found: ${prose}`, adviseCommand(workspace))
  if (toolset !== undefined) await loadToolset(toolset)
  const schedule = parseSchedule(expression, timezone)
  const { expression: text, timezone: zone } = schedule
  const next = schedule.next(Date.now()) ?? null
  return { workspace, name: name ?? '', schedule: text, timezone: zone, kind, prompt, flags, next }
}

function badArgs(message: string, hint?: string): FailureError {
  return new FailureError({ code: 'bad_args', message, hint })
}

/**
 * Returns the first four words of the task in lower case, joined by hyphens and cut to 40 characters, or
 * `job` without words. A taken name gets a number.
 */
function suggestJobName(prompt: string, takenNames: readonly string[]): string {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const base = words.slice(0, 4).join('-').slice(0, 40) || 'job'
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`
    if (!takenNames.includes(name)) return name
  }
}

/**
 * Returns the line for the user's crontab. It has absolute paths, and the data directory if ANODE_DATA_DIR is
 * set, because cron knows neither the directory nor the environment of this session.
 */
function crontabLine(env: EnvironmentVariables): string {
  const data = env.ANODE_DATA_DIR
  const words = [process.execPath, process.argv[1] ?? 'anode', 'cron', 'run', '--once']
  const setting = data === undefined ? '' : `ANODE_DATA_DIR=${quoteWord(data)} `
  // cron treats a percent sign as the end of the command
  return `* * * * * ${setting}${words.map(quoteWord).join(' ')} >/dev/null 2>&1`.replaceAll('%', '\\%')
}
