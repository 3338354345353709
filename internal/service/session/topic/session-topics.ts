// What a client follows beside its session, by the kind of it.

import type { WorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import type { TopicEvent } from '../../../session/client.ts'
import type { SessionTopic } from '../../../session/topics.ts'
import type { Store } from '../../../store/store.ts'
import { readChildEvents } from './subagent-topic.ts'

interface TopicPlace {
  thread: string
  context: Pick<WorkspaceContext, 'data' | 'workspace'>
  store(): Store | Promise<Store>
  /** Whether this child of the thread still works. */
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
