// The background commands of a session. Listeners are called when an event of a command is recorded.
import type { EventDraft } from '../../event/event.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { createSessionJobs } from '../../runtime/agent/session-jobs.ts'
import type { SessionJobs } from '../../tool/jobs.ts'
import type { SessionThread } from './session-thread.ts'
import type { SessionRuntime } from './startup/session-runtime.ts'

interface JobParts {
  thread: SessionThread
  runtime: SessionRuntime
  /** Shows the output of a job. */
  show(job: string, chunk: Uint8Array): void
}

export interface WatchedJobs extends SessionJobs {
  /** Adds a listener that is called after each recorded event of a job, such as its end. */
  onEnd(listener: () => void): void
}

/** Opens the background commands of a session; they outlive the runs that started them. */
export function openSessionJobs({ thread, runtime, show }: JobParts): WatchedJobs {
  const listeners: (() => void)[] = []
  const run: RunCommand = async (command) => {
    const { can } = (await runtime.open()).resources
    return (can.processes.run as RunCommand)(command)
  }
  const log = {
    async append(draft: EventDraft) {
      await thread.report(draft)
      for (const listener of listeners) listener()
    },
    keep: async (call: string, content: string) => (await thread.open('')).record.keep(call, content),
  }
  const jobs = createSessionJobs(run, log, show)
  return Object.assign(jobs, { onEnd: (listener: () => void) => void listeners.push(listener) })
}
