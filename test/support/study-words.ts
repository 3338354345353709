// The words of `anode study` with a plan and a scripted model, whose files are written next to the workspace.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes `plan.json` and `script.jsonl` into `dir`, and returns the words of a study with them. A script has
 * one reply a line; the plan has one task per objective.
 */
export function scriptedStudy(
  dir: string,
  objectives: readonly string[],
  replies: readonly object[],
  ...flags: string[]
): string[] {
  const plan = join(dir, 'plan.json')
  const script = join(dir, 'script.jsonl')
  writeFileSync(plan, JSON.stringify({ tasks: objectives.map((objective) => ({ objective })) }))
  writeFileSync(script, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  return ['study', 'what of locks?', '--plan', plan, '--model', `script:${script}`, ...flags]
}
