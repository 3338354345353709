// What a client follows beside its session, by the kind of it.
import type { TopicEvent } from '../../../session/client.ts'
import type { SessionTopic } from '../../../session/topics.ts'
import type { SessionState } from '../session-state.ts'
import { readChildEvents } from './child-topic.ts'

export async function* readSessionTopic(
  state: SessionState,
  topic: SessionTopic,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TopicEvent, void> {
  const { thread, context } = state
  switch (topic.kind) {
    case 'child':
      return yield* readChildEvents(state, await thread.store(), { thread: topic.thread, after }, signal)
    case 'study': {
      const { readStudyBoards } = await import('./study-topic.ts')
      return yield* readStudyBoards(context, topic, signal)
    }
    case 'experiment': {
      const { readExperimentBoards } = await import('./experiment-topic.ts')
      return yield* readExperimentBoards(context, signal)
    }
  }
}
