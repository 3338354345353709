// The keys of one agent of another program that can do tasks of builds.
import * as z from 'zod/mini'

const described = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description })
  return schema
}
const texts = (description: string) => described(z.array(z.string()), description)

const buildWorkerFields = () =>
  z.strictObject({
    command: texts('Program and its arguments; it speaks the Agent Client Protocol'),
    network: z.optional(texts('Names of hosts that it may reach')),
    env: z.optional(texts('Names of variables that it gets')),
    write: z.optional(texts('Paths that it may write in addition to the worktree')),
    silence: z.optional(
      described(z.int().check(z.minimum(1)), 'Seconds without a message that end an attempt'),
    ),
  })

/** Returns the schema of `workers`. */
export const buildWorkers = () =>
  z.optional(
    described(z.record(z.string(), buildWorkerFields()), 'Agents of other programs for builds, as acp:NAME'),
  )
