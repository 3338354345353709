// The pages of background work: subagents and background commands.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { subjectOf } from '../../session/view/telling-argument.ts'
import { transcriptOf } from '../inline/earlier-blocks.ts'
import type { InlineState } from '../inline/inline-state.ts'
import { sendCommand } from '../inline/send-command.ts'
import { openTranscript } from '../inline/transcript-page.ts'
import { createListPage, type PageEntry } from '../page/list-page.ts'
import { openPage } from '../page/live-page.ts'
import { margin, narrowLook, penOfLook, spreadLine } from '../view/look-pen.ts'
import { drawAgentEntry, drawJobs } from '../view/work-rows.ts'

type PageLook = InlineState['display']['look']

export function openWorkPage(state: InlineState, name: 'agents' | 'jobs'): void {
  if (name === 'agents') openAgentsPage(state)
  else openJobsPage(state)
}

/**
 * Opens the page of the subagents that have run while the screen was open (the latest 50),
 * including finished ones.
 */
function openAgentsPage(state: InlineState): void {
  const isRunning = (thread: string) =>
    state.conversation.view.children.some((child) => child.thread === thread)
  const page = createListPage({
    read: (look, now) => ({
      head: titleLines(
        'Agents',
        countAgents(state.conversation.view.children.length, state.conversation.children.size),
        look,
      ),
      entries: [...state.conversation.children].map(([thread, { title, view }]): PageEntry => {
        const child = state.conversation.view.children.find((one) => one.thread === thread)
        return { id: thread, lines: drawAgentEntry({ title, view, child }, now, look) }
      }),
      tail: [],
      none: 'No subagent has run since the screen opened.',
    }),
    keys: {
      enter: (thread) => thread !== undefined && showTranscript(state, thread),
      k: (thread) => {
        if (thread !== undefined && isRunning(thread))
          void sendCommand(state, { type: 'interrupt', call: thread })
      },
    },
    help: () => 'Enter transcript   k stops it   Esc back',
  })
  openPage(state, page)
}

function showTranscript(state: InlineState, thread: string): void {
  state.conversation.pageThread = thread
  state.overlays.page = openTranscript(
    transcriptOf(state),
    state.display.wide,
    state.display.size.rows,
    Date.now(),
  )
}

const countAgents = (running: number, all: number): string =>
  all === 0 ? '' : running === 0 ? 'none running' : `${running} of ${all} running`

/** Largest number of output lines that are shown of a command: the last ones that are not blank. */
const shownOutput = 8

/** Opens the page of background commands and running calls. Each of them can be stopped separately. */
function openJobsPage(state: InlineState): void {
  const page = createListPage({
    read: (look, now) => {
      const { calls, jobs } = state.conversation.view
      const running = calls.map(({ call, tool, args, since, message: output = '' }) => {
        const command = `${tool} ${subjectOf({ tool, args })}`.trimEnd()
        return { id: call, job: 'running', command, since, output }
      })
      return {
        head: titleLines('Jobs', countJobs(jobs.length, calls.length), look),
        entries: [...jobs.map((job) => ({ ...job, id: job.job })), ...running].map(({ id, ...job }) => ({
          id,
          lines: [
            ...drawJobs({ jobs: [job] }, now, look).map((line) => line.trimStart()),
            ...drawOutputEnd(job.output ?? '', look),
          ],
        })),
        tail: [],
        none: 'No background command and no call is running.',
      }
    },
    keys: {
      k: (job) => job !== undefined && void sendCommand(state, { type: 'interrupt', call: job }),
    },
    help: () => 'k stops only this one   Esc back',
  })
  openPage(state, page)
}

const countJobs = (jobs: number, calls: number): string =>
  [...(jobs > 0 ? [`${jobs} in the background`] : []), ...(calls > 0 ? [`${calls} of this run`] : [])].join(
    ', ',
  )

function drawOutputEnd(output: string, look: PageLook): string[] {
  const pen = penOfLook(narrowLook(look, margin))
  const lines = sanitizeText(output, { keepLines: true }).trimEnd().split('\n')
  const lastLines = lines.filter((line) => line.trim() !== '').slice(-shownOutput)
  return lastLines.map((line) =>
    pen.paint({ dim: true })(`  ${pen.clip(line, Math.max(1, pen.look.width - 2))}`),
  )
}

function titleLines(title: string, facts: string, look: PageLook): string[] {
  const pen = penOfLook(look)
  return [pen.paint({ bold: true })(spreadLine(title, facts, look.width, pen)), '']
}
