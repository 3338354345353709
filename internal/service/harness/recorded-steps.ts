// Steps of a recorded command in order of time: requests, responses, calls, decisions, results.

import type { EnvironmentVariables } from '../../base/environment.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { type RecordedReply, readReplies } from '../../model/replay.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import type { RecordedEvent } from '../../store/store.ts'
import { readThreadEvents } from '../threads/thread-markdown.ts'
import { type CommandRecording, tapeOf } from './recording.ts'

export const stepKinds = ['request', 'reply', 'call', 'decision', 'result', 'event'] as const
type StepKind = (typeof stepKinds)[number]

export interface RecordedStep {
  /** Number of the step, from 1. */
  n: number
  /** Milliseconds since the command began. */
  at: number
  kind: StepKind
  /**
   * Thread of the step. For a step of a study: `study`, followed by its task if it has one. For a request:
   * its task, its purpose or `run`.
   */
  where: string
  /** Description of the step in one line, at most 200 characters of its content. */
  about: string
  /** The event, journal line or response as stored. */
  data: unknown
}

type UnnumberedStep = Omit<RecordedStep, 'n'>

/**
 * Returns the steps of a recording or replay in order of time. A replay has no requests. The events of a
 * deleted thread are left out.
 */
export async function listRecordedSteps(
  env: EnvironmentVariables,
  recording: CommandRecording,
): Promise<RecordedStep[]> {
  const steps: UnnumberedStep[] = []
  const at = (ts: number) => Math.max(0, ts - recording.started)
  await withDataStore(env, (store) => {
    for (const thread of recording.threads) {
      if (!store.threads.get(thread)) continue
      for (const event of readThreadEvents(store, thread)) {
        const step = describeEvent(event)
        if (step) steps.push({ ...step, at: at(event.ts), where: thread, data: event.payload })
      }
    }
  })
  for (const study of recording.studies)
    for (const line of await readStudyLines(env, study))
      steps.push({ ...describeLine(line), at: at(line.ts), data: line.data })
  if (recording.of === undefined) {
    for (const reply of readReplies(tapeOf(env, recording).file, recording.cwd))
      steps.push(describeRequest(reply, at(reply.at ?? recording.started)))
  }
  // a request has the time at which it was sent, which is before its response was recorded
  return steps.sort((a, b) => a.at - b.at).map((step, i) => ({ n: i + 1, ...step }))
}

async function readStudyLines(env: EnvironmentVariables, study: string): Promise<JournalLine[]> {
  const { withStudy } = await import('../study/known-studies.ts')
  return withStudy(study, { cwd: process.cwd(), env }, (foundStudy) => foundStudy.lines())
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 200)
const writeValue = (value: unknown) =>
  oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function describeRequest({ about, model, events, hash }: RecordedReply, at: number): UnnumberedStep {
  const end = events.at(-1)
  const how =
    end?.type === 'failure' ? `failed: ${end.failure.message}` : countNoun(about.messages, 'message')
  return {
    at,
    kind: 'request',
    where: about.task ?? about.purpose ?? 'run',
    about: oneLine(`${model ?? 'model'} ${how}, last ${about.last}`),
    data: { hash, model, ...about, events },
  }
}

function describeEvent(event: RecordedEvent): Pick<UnnumberedStep, 'kind' | 'about'> | undefined {
  const { type, payload } = event
  switch (type) {
    case 'message': {
      const calls = (payload.calls ?? []).map(({ name }) => name).join(', ')
      const text = writeValue(payload.text)
      if (payload.role !== 'assistant') return { kind: 'event', about: `${payload.role}: ${text}` }
      return { kind: 'reply', about: [text, calls && `calls ${calls}`].filter(Boolean).join('; ') }
    }
    case 'tool.call':
      return { kind: 'call', about: oneLine(`${payload.face ?? payload.tool} ${writeValue(payload.args)}`) }
    case 'tool.result': {
      const how = payload.ok ? 'ok' : `failed (${payload.code ?? 'unknown'})`
      return { kind: 'result', about: oneLine(`${payload.face ?? payload.tool} ${how}: ${payload.text}`) }
    }
    case 'permission.asked':
      return {
        kind: 'decision',
        about: oneLine(`${payload.tool} needs approval: ${payload.reasons.join('; ')}`),
      }
    case 'permission.decided':
      return { kind: 'decision', about: oneLine(`${payload.tool} ${payload.action}: ${payload.why}`) }
    case 'usage':
    case 'message.delta':
      return undefined
    default:
      return { kind: 'event', about: oneLine(`${type} ${writeValue(payload)}`) }
  }
}

const studyKinds: Readonly<Record<string, StepKind>> = {
  step: 'reply',
  result: 'result',
  verdict: 'decision',
}

function describeLine({ kind, data }: JournalLine): Pick<UnnumberedStep, 'kind' | 'about' | 'where'> {
  const task = typeof data.task === 'string' ? data.task : undefined
  return {
    kind: studyKinds[kind] ?? 'event',
    where: task === undefined ? 'study' : `study ${task}`,
    about: oneLine(`${kind} ${writeValue(data)}`),
  }
}

/** Returns the number of steps by kind; a kind without steps has no entry. */
export function countSteps(steps: readonly RecordedStep[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of steps) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** Returns the number of responses in a recording; for a replay, in the recording that it replays. */
export async function countReplies(env: EnvironmentVariables, recording: CommandRecording): Promise<number> {
  return readReplies(tapeOf(env, recording).file, recording.cwd).length
}
