// The keys of one agent of another program that can do tasks of builds.
import * as z from 'zod/mini'
import { noteKey } from './mcp-server-schema.ts'

const buildTexts = (description: string) => noteKey(z.array(z.string()), description)

const buildWorkerFields = () =>
  z.strictObject({
    command: buildTexts('Program and its arguments; it speaks the Agent Client Protocol'),
    network: z.optional(buildTexts('Names of hosts that it may reach')),
    env: z.optional(buildTexts('Names of variables that it gets')),
    write: z.optional(buildTexts('Paths that it may write in addition to the worktree')),
    silence: z.optional(
      noteKey(z.int().check(z.minimum(1)), 'Seconds without a message that end an attempt'),
    ),
  })

/** Returns the schema of `workers`. */
export const buildWorkers = () =>
  z.optional(
    noteKey(z.record(z.string(), buildWorkerFields()), 'Agents of other programs for builds, as acp:NAME'),
  )
