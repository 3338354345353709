// Background jobs, which are commands that run while the agent continues, of one agent or session. They are
// recorded when they end, and stopped when the agent or session ends.
import type { EventDraft } from '../../event/event.ts'
import type { ModelMessage } from '../../model/model.ts'
import type { createJobBoard, JobState } from '../../process/background-jobs.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { CallLog } from '../../tool/ctx.ts'
import type { SessionJobs } from '../../tool/jobs.ts'

/**
 * Returns the background jobs of an agent or session. `show` gets the output of each job part by part, with
 * the id of the job. When a job ends, `log` records its end and its whole output.
 */
export function createSessionJobs(
  run: RunCommand,
  log: CallLog,
  show?: (job: string, chunk: Uint8Array) => void,
): SessionJobs {
  let board: ReturnType<typeof createJobBoard> | undefined
  return {
    async open() {
      const { createJobBoard: create } = await import('../../process/background-jobs.ts')
      const end: Parameters<typeof create>[1] = async (job, call, output) => {
        const parts: string[] = []
        for await (const part of output()) parts.push(part)
        const whole = await log.keep(call, parts.join(''))
        await log.append(jobEnded(job, call, whole))
      }
      board ??= create(run, end, show)
      return board
    },
    get opened() {
      return board
    },
    close: async () => board?.close(),
  }
}

/**
 * Returns the same jobs for an agent that does not own them: its `close` does nothing, because only the owner
 * may stop the jobs.
 */
export function lendJobs(jobs: SessionJobs): SessionJobs {
  return {
    open: jobs.open,
    get opened() {
      return jobs.opened
    },
    close: async () => undefined,
  }
}

function jobEnded(
  { id, command, exit, signal, stopped, timed_out, ms }: JobState,
  call: string,
  whole: string,
) {
  const draft: EventDraft = {
    type: 'job.ended',
    payload: { job: id, call, command, exit, signal, stopped, timed_out, ms, whole },
  }
  return draft
}

/** Returns a note for each job that has ended since the last notes for the model. */
export function jobNotes(jobs: SessionJobs): ModelMessage[] {
  const endedJobs = jobs.opened?.takeEnded() ?? []
  return endedJobs.map((job) => ({ role: 'user', content: describeJobEnd(job), origin: 'note' }))
}

export function describeJobEnd({
  id,
  command,
  exit,
  signal,
  stopped,
  timed_out,
  problem,
  ms,
}: JobState): string {
  const how =
    problem ??
    (stopped
      ? 'stopped'
      : timed_out
        ? 'its time was over'
        : signal === null
          ? `exit ${exit}`
          : `ended by ${signal}`)
  return `${id} (${command.split('\n', 1)[0]}) ended: ${how} after ${(ms / 1000).toFixed(1)} s`
}
