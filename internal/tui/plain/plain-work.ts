// Background work as lines: subagents, background commands, studies and experiments.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { TopicEvent } from '../../session/client.ts'
import type { SessionTopic } from '../../session/topics.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { closeView } from '../../session/view/fold-run.ts'
import { emptyView } from '../../session/view/session-view.ts'
import { subjectOf } from '../../session/view/telling-argument.ts'
import { drawExperimentFrame, drawRun } from '../board/experiment-lines.ts'
import { drawStudyFrame, drawTask, drawTaskClaims } from '../board/study-lines.ts'
import { formatDuration } from '../duration.ts'
import { pastLinesOf } from '../run-view/plain-look.ts'
import { lookOfLines } from './plain-command-screen.ts'
import type { PlainState } from './plain-state.ts'

/**
 * `quietMs` is the time in milliseconds without an event after which all existing events count as received.
 * `firstMs` is the longer time that the first event may take.
 */
const quietMs = 600
const firstMs = 3_000

/** Yields the existing events of a topic, and ends when no further event arrives for a short time. */
async function* readPresentEvents(
  { conversation: { client } }: PlainState,
  topic: SessionTopic,
): AsyncGenerator<TopicEvent, void> {
  const stop = new AbortController()
  const end = () => stop.abort()
  let timer = setTimeout(end, firstMs)
  try {
    for await (const event of client.readTopic(topic, 0, stop.signal)) {
      clearTimeout(timer)
      yield event
      timer = setTimeout(end, quietMs)
    }
  } finally {
    clearTimeout(timer)
    end()
  }
}

export const listTodos = ({ conversation: { view } }: PlainState): string[] =>
  view.todo.length === 0
    ? ['the todo list is empty']
    : view.todo.map(({ content, status }) => sanitizeText(`${status.replaceAll('_', ' ')}: ${content}`))

export function listAgents({ conversation: { children, view } }: PlainState): string[] {
  if (children.size === 0) return ['no subagent has run since the screen opened']
  const now = Date.now()
  return [...children].map(([thread, title], at) => {
    const child = view.children.find((one) => one.thread === thread)
    const how = child ? `works for ${formatDuration(Math.max(0, now - child.since))}` : 'has ended'
    return sanitizeText(`${at + 1} ${title}, ${how}`)
  })
}

/**
 * Prints the complete work of the subagent with this number in the list, or a line about an unknown number.
 */
export async function showAgent(state: PlainState, number: string): Promise<void> {
  const [thread, title] = [...state.conversation.children][Number(number) - 1] ?? []
  if (thread === undefined || title === undefined)
    return state.printer.print([`unknown agent ${sanitizeText(number)}; /agents lists them`])
  let view = emptyView(thread)
  for await (const event of readPresentEvents(state, { kind: 'child', thread }))
    if (event.type !== 'study.board' && event.type !== 'experiment.board')
      view = foldSessionEvent(view, event)
  const width = state.printer.width()
  const isRunning = state.conversation.view.children.some((child) => child.thread === thread)
  const { blocks } = isRunning ? view : closeView(view)
  state.printer.print([
    `the agent: ${sanitizeText(title)}`,
    ...blocks.flatMap((block) => pastLinesOf(block, width)),
    isRunning ? 'the agent is still running' : 'the agent has ended',
  ])
}

/**
 * Returns lines with the background commands, then the running calls, each with its last output line. Without
 * any, returns a line that says so.
 */
export function listJobs({ conversation: { view } }: PlainState): string[] {
  const { jobs, calls } = view
  const now = Date.now()
  const since = (ms: number) => formatDuration(Math.max(0, now - ms))
  const lastOf = (output = '') => output.trimEnd().split('\n').at(-1) ?? ''
  const lines = [
    ...jobs.map((job) => [`${job.job} ${job.command}, ${since(job.since)}`, lastOf(job.output)]),
    ...calls.map(({ tool, args, since: startedAt, message }) => [
      `${tool} ${subjectOf({ tool, args })}, ${since(startedAt)}`,
      lastOf(message),
    ]),
  ]
  if (lines.length === 0) return ['no background command and no call is running']
  return lines.flatMap(([what = '', last = '']) => [
    sanitizeText(what),
    ...(last === '' ? [] : [`  ${sanitizeText(last)}`]),
  ])
}

/**
 * Prints the latest study of this workspace, or its experiments. If no board arrives in time, prints that the
 * workspace has no study or no experiments yet.
 */
export async function showBoard(state: PlainState, kind: 'study' | 'experiment'): Promise<void> {
  const topic: SessionTopic = kind === 'study' ? { kind, since: 0 } : { kind }
  for await (const event of readPresentEvents(state, topic))
    if (event.type === 'study.board' || event.type === 'experiment.board')
      return state.printer.print(await drawBoard(event, lookOfLines(state.printer)))
  const none = { study: 'no study in this workspace yet', experiment: 'no experiments in this workspace yet' }
  state.printer.print([none[kind]])
}

/**
 * Returns the lines of a board: a study with its tasks and their claims, or the experiments with all runs.
 */
async function drawBoard(
  { type, payload }: Extract<TopicEvent, { type: 'study.board' | 'experiment.board' }>,
  look: RenderLook,
): Promise<string[]> {
  const now = Date.now()
  if (type === 'study.board') {
    const { head, tail } = drawStudyFrame(payload, now, look)
    const tasksWithClaims = payload.tasks.filter(({ claims }) => claims > 0)
    return trimRows([
      ...head,
      ...payload.tasks.map((task) => drawTask(task, now, look)),
      ...tail,
      ...tasksWithClaims.flatMap(({ id }) => ['', ...drawTaskClaims(payload, id, look)]),
    ])
  }
  const { head, tail } = drawExperimentFrame(payload, now, look)
  return trimRows([...head, ...payload.runs.map((run) => drawRun(run, payload.unit, look)), ...tail])
}

/**
 * Removes spaces at the ends of rows, and shortens the wide space that separates two parts of a row on other
 * screens to two spaces.
 */
const trimRows = (rows: readonly string[]) =>
  rows.map((row) => row.trimEnd().replaceAll(/(\S) {3,}/g, '$1  '))
