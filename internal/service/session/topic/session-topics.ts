// Events of a topic that a client follows besides the session: a subagent, a study or the experiments.

import type { WorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import type { TopicEvent } from '../../../session/client.ts'
import type { SessionTopic } from '../../../session/topics.ts'
import type { Store } from '../../../store/store.ts'
import { readChildEvents } from './subagent-topic.ts'

interface TopicPlace {
  thread: string
  context: Pick<WorkspaceContext, 'data' | 'workspace'>
  store(): Store | Promise<Store>
  /** Returns true if this subagent of the thread is still running. */
  isRunning(child: string): boolean | Promise<boolean>
}

export async function* readSessionTopic(
  { thread: parent, context, store, isRunning }: TopicPlace,
  topic: SessionTopic,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TopicEvent, void> {
  switch (topic.kind) {
    case 'child':
      return yield* readChildEvents(await store(), { parent, child: topic.thread, after, isRunning }, signal)
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
