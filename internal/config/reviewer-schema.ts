// The keys of the reviewer of approvals.
import * as z from 'zod/mini'

const describeKey = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description })
  return schema
}

/** Returns the schema of `approvals.reviewer`. */
export const buildReviewer = () =>
  z.optional(
    describeKey(
      z.strictObject({
        model: describeKey(z.string().check(z.minLength(1)), 'provider/model that reviews'),
        timeout: z.optional(
          describeKey(z.int().check(z.minimum(1), z.maximum(600)), 'Seconds for an answer, 20 without it'),
        ),
        also: z.optional(
          describeKey(
            z.array(z.string().check(z.regex(/^(?:network|tool):\S+$/))),
            'More that it may allow: network:HOST, tool:NAME',
          ),
        ),
      }),
      'Model that may allow calls that the sandbox contains',
    ),
  )
