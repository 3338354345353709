// The keys of the reviewer of approvals.
import * as z from 'zod/mini'
import { noteKey } from './mcp-server-schema.ts'

/** Returns the schema of `approvals.reviewer`. */
export const buildReviewer = () =>
  z.optional(
    noteKey(
      z.strictObject({
        model: noteKey(z.string().check(z.minLength(1)), 'provider/model that reviews'),
        timeout: z.optional(
          noteKey(z.int().check(z.minimum(1), z.maximum(600)), 'Seconds for an answer, 20 without it'),
        ),
        also: z.optional(
          noteKey(
            z.array(z.string().check(z.regex(/^(?:network|tool):\S+$/))),
            'More that it may allow: network:HOST, tool:NAME',
          ),
        ),
      }),
      'Model that may allow calls that the sandbox contains',
    ),
  )
