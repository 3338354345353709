// A task's model: every request is paid from the study's budget, every reply is a step of its journal.
import type { Model, RequestMeta } from '../../model/model.ts'
import type { TaskInput } from './task-input.ts'
import { addUsage, type ReplayedTask } from './task-replay.ts'
import type { SessionStop } from './task-stop.ts'
import { type BudgetLease, meteredModel } from './worker-budget.ts'

interface StepRecorderOptions {
  model: Model
  budgetLease: BudgetLease
  task: ReplayedTask
  purpose: RequestMeta['purpose']
  input?: unknown
  taskInput: TaskInput
  sessionStop: SessionStop
}

/**
 * The same model; the step that holds a reply is on record before the reply ends, and what it was sent is
 * acknowledged.
 */
export function recordSteps(options: StepRecorderOptions): Model {
  const { model, budgetLease, task, purpose, input, taskInput, sessionStop } = options
  const name = budgetLease.task
  const taken = task.steps
  const metered = meteredModel(model, budgetLease, (detail, left) =>
    sessionStop.stop({ why: 'budget', detail, left }),
  )
  return {
    ...model,
    async *stream(request, signal) {
      const additions = taskInput.additions()
      const meta = { purpose, task: name, taken, input }
      for await (const event of metered.stream({ ...request, meta }, task.steps + 1, additions, signal)) {
        if (event.type === 'usage') addUsage(task.spent, event)
        if (event.type === 'end') {
          task.steps++
          await taskInput.acknowledge(additions, `${name}.${task.steps}`)
        }
        yield event
      }
    },
  }
}
