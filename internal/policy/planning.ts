// What may be done while a plan is made: reading, and writing the plan.
import type { DecisionReason, Policy } from './policy.ts'
import type { CallFacts } from './resolved-call.ts'

/** The answer that planning gives to a call, or undefined where it is decided as ever. */
export function judgePlanning(facts: CallFacts, { planning }: Policy): DecisionReason | undefined {
  const { call, places, commands } = facts
  if (planning === undefined || facts.faults.length > 0) return undefined
  const deny = (text: string): DecisionReason => ({ action: 'deny', by: 'planning', text })
  if (call.level === 'confirm_write') {
    const isPlan = places.length > 0 && places.every(({ place }) => place.real === planning)
    if (isPlan && commands.length === 0)
      return { action: 'allow', by: 'planning', text: `${planning} is the file of the plan` }
    return deny(`while a plan is made only its file is written: ${planning}`)
  }
  if (call.level !== 'confirm_execute') return undefined
  const reads = commands.every(
    (line) =>
      line.opaque === undefined &&
      line.writes.length === 0 &&
      !line.blind &&
      line.parts.every((part) => part.opaque === undefined && part.class === 'reading'),
  )
  if (commands.length > 0 && reads) return undefined
  return deny('while a plan is made only commands that read may run')
}
