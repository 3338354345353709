// The policy (source of candidates) `scripted`: proposals from a file, in their order.
import * as z from 'zod/mini'
import { readPolicyFile } from './policy-file.ts'
import type { ExperimentProposal } from './proposal.ts'

const file = z.string().check(z.minLength(1))

const schema = z.array(
  z.strictObject({
    description: z.string(),
    edits: z.array(
      z.union([
        z.strictObject({ file, text: z.string() }),
        z.strictObject({ file, from: z.string().check(z.minLength(1)), to: z.string() }),
        z.strictObject({ file, remove: z.literal(true) }),
      ]),
    ),
    asi: z._default(z.record(z.string(), z.unknown()), {}),
  }),
)

const hint =
  'A script is a list like [{"description": "…", "edits": [{"file": "a.c", "from": "…", "to": "…"}]}]; ' +
  'an edit has "text" for a whole file, "from" and "to", or "remove": true.'

/**
 * Returns the proposals of a file in order. Each has its number, from 1, in `asi.step`. Throws UserError for
 * an invalid file.
 */
export function readScriptFile(path: string, displayName: string): ExperimentProposal[] {
  return readPolicyFile(path, displayName, schema, hint).map(({ description, edits, asi }, i) => ({
    description: description.trim() || `step ${i + 1}`,
    edits,
    asi: { ...asi, step: i + 1 },
  }))
}
