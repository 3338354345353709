// The boards (the states of a study and of experiments) that a screen shows next to its conversation.
import type { RenderLook } from '../../render/pen.ts'
import type { ResearchBoard } from '../../session/board/research-board.ts'
import type { StudyBoard } from '../../session/board/study-board.ts'
import type { SessionClient, TopicEvent } from '../../session/client.ts'
import type { SessionTopic } from '../../session/topics.ts'
import { drawExperimentPane, drawExperimentRows } from './experiment-lines.ts'
import { drawStudyPane, drawStudyRows } from './study-lines.ts'

/**
 * The boards to follow. `study` selects the study that was started at that time (milliseconds since
 * 1970) or later.
 */
interface WantedBoards {
  study: number | undefined
  experiment: boolean
}

export interface BoardFollower {
  follow(wanted: WantedBoards): void
  drawPane(now: number, look: RenderLook): string[]
  /** Returns true if neither a study nor an experiment can be shown. */
  isEmpty(): boolean
  /**
   * Returns the rows of the boards for a screen without a pane. Studies that have ended and experiments
   * without a pending measurement are omitted.
   */
  drawRows(now: number, look: RenderLook): string[]
  close(): void
}

/**
 * Time in milliseconds for which reading continues after the screen does not need a board, because its last
 * event may still arrive. The reading of a study that was found does not stop then.
 */
const graceMs = 2_000

export function openBoardFollower(client: SessionClient, changed: () => void): BoardFollower {
  let study: StudyBoard | undefined
  let experiment: ResearchBoard | undefined
  let since: number | undefined
  const studies = createReader(client, (event) => {
    if (event.type === 'study.board') study = event.payload
    changed()
  })
  const experiments = createReader(client, (event) => {
    if (event.type === 'experiment.board') experiment = event.payload
    changed()
  })
  return {
    follow(topics) {
      if (topics.study !== undefined && topics.study !== since) {
        since = topics.study
        study = undefined
        studies.stop()
        studies.start({ kind: 'study', since })
      } else if (topics.study === undefined && study === undefined) studies.stop(graceMs)
      if (topics.experiment) experiments.start({ kind: 'experiment' })
      else experiments.stop(graceMs)
    },
    isEmpty: () => study === undefined && experiment === undefined,
    drawPane: (now, look) => [
      ...(study ? drawStudyPane(study, now, look) : []),
      ...(experiment ? drawExperimentPane(experiment, now, look) : []),
    ],
    drawRows: (now, look) => [
      ...(study ? drawStudyRows(study, now, look) : []),
      ...(experiment ? drawExperimentRows(experiment, now, look) : []),
    ],
    close() {
      studies.stop()
      experiments.stop()
    },
  }
}

/** Creates a reader that follows one topic of events at a time. A topic that cannot be read is not shown. */
export function createReader(client: SessionClient, take: (event: TopicEvent) => void) {
  let reading: AbortController | undefined
  let ending: NodeJS.Timeout | undefined
  const leave = () => {
    clearTimeout(ending)
    ending = undefined
    reading?.abort()
    reading = undefined
  }
  return {
    /** Starts reading the topic, unless a topic is already being read. */
    start(topic: SessionTopic) {
      clearTimeout(ending)
      ending = undefined
      if (reading) return
      const stop = new AbortController()
      reading = stop
      const events = client.readTopic(topic, 0, stop.signal)
      const read = async () => {
        for await (const event of events) if (!stop.signal.aborted) take(event)
      }
      void read()
        .catch(() => undefined)
        .finally(() => {
          if (reading === stop) reading = undefined
        })
    },
    stop(after = 0) {
      if (after === 0) leave()
      else if (reading && ending === undefined) ending = setTimeout(leave, after).unref()
    },
  }
}
