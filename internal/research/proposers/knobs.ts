// The policy (source of candidates) `random`: combinations of the values of a few knobs, written into one
// file, each at most once.
import * as z from 'zod/mini'
import { UserError } from '../../base/errors.ts'
import { seededRandom } from '../stats/seeded-random.ts'
import { readPolicyFile } from './policy-file.ts'
import type { ExperimentProposal } from './proposal.ts'

const value = z.union([z.string(), z.number(), z.boolean()], 'must be a text, a number, true or false')

const schema = z.strictObject({
  file: z.string().check(z.minLength(1)),
  template: z.string(),
  knobs: z.record(z.string(), z.array(value).check(z.minLength(1, 'must have at least one value'))),
})

/**
 * Content of a knob file. `file` gets the text `template`, in which every `{name}` is replaced by the value
 * of that knob.
 */
export type KnobSpace = z.output<typeof schema>

const hint =
  'A policy looks like {"file": "flags.txt", "template": "{opt}", "knobs": {"opt": ["-O1", "-O2"]}}.'
/** Largest number of combinations, because the random generator draws numbers below 2^32. */
const maxCombinations = 2 ** 32
const mention = /\{([A-Za-z_][\w-]*)\}/g

/**
 * Reads a file of knobs. Throws UserError for an invalid file or more than 2^32 combinations. Every knob must
 * occur in the template, and every name in the template must be a knob.
 */
export function readKnobFile(path: string, displayName: string): KnobSpace {
  const knobs = readPolicyFile(path, displayName, schema, hint)
  const names = Object.keys(knobs.knobs)
  const mentioned = new Set([...knobs.template.matchAll(mention)].map((match) => match[1] as string))
  const idle = names.find((name) => !mentioned.has(name))
  if (idle !== undefined)
    throw new UserError(`${displayName}: the template does not mention {${idle}}`, { hint })
  const unknown = [...mentioned].find((name) => !Object.hasOwn(knobs.knobs, name))
  if (unknown !== undefined)
    throw new UserError(`${displayName}: unknown knob "${unknown}" in the template`, { hint })
  if (countCombinations(knobs) > maxCombinations) {
    throw new UserError(`${displayName}: more than 2^32 combinations cannot be drawn from`, { hint })
  }
  return knobs
}

const countCombinations = ({ knobs }: KnobSpace) =>
  Object.values(knobs).reduce((count, list) => count * list.length, 1)

/**
 * Yields proposals in a random order that the seed determines, never the same text twice. A value that is
 * listed twice comes earlier on average. Ends after all combinations. The order is a shuffle by Fisher and
 * Yates that stores only moved positions, so a large space needs little memory.
 */
export function* drawProposals(knobs: KnobSpace, seed: number): Generator<ExperimentProposal> {
  const chance = seededRandom(seed, 'policy random')
  const moved = new Map<number, number>()
  const seenTexts = new Set<string>()
  const total = countCombinations(knobs)
  for (let i = 0; i < total; i++) {
    const at = i + chance.below(total - i)
    const index = moved.get(at) ?? at
    moved.set(at, moved.get(i) ?? i)
    moved.delete(i)
    const proposal = makeProposal(knobs, index)
    const text = proposalText(proposal)
    if (!seenTexts.has(text)) yield proposal
    seenTexts.add(text)
  }
}

/** Returns the text that a proposal of `drawProposals` writes into the file of the knobs. */
export function proposalText({ edits }: ExperimentProposal): string {
  const edit = edits[0]
  return edit && 'text' in edit ? edit.text : ''
}

/** Returns the combination with this number; numbers are assigned as if each knob were a digit. */
function makeProposal({ file, template, knobs }: KnobSpace, index: number): ExperimentProposal {
  const drawn: Record<string, string | number | boolean> = {}
  let rest = index
  for (const [name, list] of Object.entries(knobs)) {
    drawn[name] = list[rest % list.length] as string
    rest = Math.floor(rest / list.length)
  }
  const filled = template.replaceAll(mention, (_, name: string) => String(drawn[name]))
  const text = `${filled.replaceAll(/[ \t]+$/gm, '').trimEnd()}\n`
  return { description: describeProposal(filled, drawn), edits: [{ file, text }], asi: { knobs: drawn } }
}

/**
 * Returns the filled template if it has one line of at most 40 characters, because it is clearer than the
 * names and values of the knobs. For a longer template, returns these names and values.
 */
function describeProposal(filled: string, drawn: Record<string, string | number | boolean>): string {
  const line = filled.trim()
  if (line.length <= 40 && !line.includes('\n')) return line.replaceAll(/ +/g, ' ')
  return Object.entries(drawn)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}
