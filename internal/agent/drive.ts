// Runs a loop to its end and records all of it; whatever breaks becomes a typed end, and the end is recorded once.
import { messageOf } from '../base/errors.ts'
import type { ModelMessage } from '../model/model.ts'
import type { End } from './end.ts'
import { type Agent, loop } from './loop.ts'
import type { Recorder } from './recorder.ts'
import { lastText } from './speak.ts'

/** Never rejects for what happens in the run; rejects when the record itself cannot be kept. */
export async function drive(agent: Agent, messages: ModelMessage[], recorder: Recorder): Promise<End> {
  const end = await steps(agent, messages, recorder)
  const { text: _, ...payload } = end
  await recorder.append({ type: 'run.ended', payload })
  recorder.flush()
  return end
}

async function steps(agent: Agent, messages: ModelMessage[], recorder: Recorder): Promise<End> {
  const run = loop(agent, messages)
  try {
    for (;;) {
      const step = await run.next()
      if (step.done) return step.value
      await recorder.append(step.value)
    }
  } catch (error) {
    return { end: 'failed', reason: 'internal', message: messageOf(error), text: lastText(messages) }
  }
}
