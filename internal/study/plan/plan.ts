// Gets a plan: from a file, from the model, or by rule when the model has none that holds.
import { messageOf, UserError } from '../../base/errors.ts'
import { readSmall } from '../../base/small-file.ts'
import { facets, parts } from '../../model/extract/facets.ts'
import { terms } from '../../model/extract/terms.ts'
import type { Entries } from '../study.ts'
import { arrange, asWritten, chained, type Frame, readOutline, single } from './outline.ts'

export type Made = Entries['plan']

/** Asks the model; with `note` once more, without tools. A string is why there is no answer. */
export type Ask = (note?: string) => Promise<{ text: string } | { failed: string; quiet: boolean }>

/** `frequency`: in how many files each term of the question occurs. */
export interface Means {
  frequency: Readonly<Record<string, number>>
  /** Absent: nothing may be spent, so the rules decide. */
  ask: Ask | undefined
}

/** Throws UserError with the place of each mistake. */
export function planFromFile(file: string, frame: Frame): Made {
  const text = readSmall(file)
  if (text === undefined)
    throw new UserError(`there is no plan file ${file}`, {
      hint: '--plan-only prints a plan that can be kept in a file',
    })
  const hint = 'anode study "…" --plan-only prints a plan to start from'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${file} is not JSON: ${messageOf(cause)}`, { hint, cause })
  }
  const read = readOutline(value, frame.sources, 'file')
  if (!read.ok) throw new UserError(`${file}: ${read.errors.slice(0, 5).join('; ')}`, { hint })
  return { ...asWritten(read.parts, frame), of: 'file' }
}

/** Never rejects for what a model says; an invalid plan is asked for once more and then replaced. */
export async function plan(frame: Frame, { frequency, ask }: Means): Promise<Made> {
  const { question, workers } = frame
  const pieces = parts(question)
  if (workers === 1) return { ...single(frame, '--workers is 1'), of: 'rules' }
  if (pieces.length < 2 && terms(question).length < 4) {
    return { ...single(frame, 'the question has one part'), of: 'rules' }
  }
  const byRule = () => arrange(chained(facets(question, workers, { frequency })), frame)
  if (!ask) return { ...byRule(), of: 'rules' }
  let errors: string[] = []
  for (const attempt of [1, 2]) {
    const note =
      attempt === 1
        ? undefined
        : `That is no plan that can be used: ${errors.join('; ')}. Reply with the corrected JSON object alone.`
    const said = await ask(note)
    if ('failed' in said) {
      return { ...byRule(), of: 'rules', ...(!said.quiet && { notices: [`plan_fallback: ${said.failed}`] }) }
    }
    const read = readOutline(objectIn(said.text), frame.sources, 'model')
    if (read.ok) return { ...arrange(linkedParts(read.parts), frame), of: 'model' }
    errors = read.errors.slice(0, 5)
  }
  return { ...byRule(), of: 'rules', notices: [`plan_fallback: ${errors.join('; ')}`] }
}

/** Rules that cut by words say nothing of dependencies; a language model has said what it means. */
function linkedParts(found: Parameters<typeof arrange>[0]) {
  const isBare = found.every(({ dependsOn, boundaries, stop }) => !dependsOn && !boundaries && !stop)
  if (!isBare) return found
  return chained(found.map(({ objective, terms: own }) => ({ objective, terms: own ?? terms(objective) })))
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  } catch {
    // what is wrong with it is said by the check of its shape
    return undefined
  }
}
